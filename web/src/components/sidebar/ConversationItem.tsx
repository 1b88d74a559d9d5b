import type { Conversation } from "../api/types";
import { conversationPath } from "../hooks/useRoute";
import { count } from "../model/count";
import { locale } from "../model/locale";
import { relativeTime } from "../model/time";
import { titleOf } from "../model/title";
import { Link } from "./Link";

interface Props {
  conversation: Conversation;
  isSelected: boolean;
  now: Date;
  navigate: (path: string) => void;
}

export function ConversationItem({ conversation, isSelected, now, navigate }: Props) {
  const { id, title, last_activity_at, message_count } = conversation;
  return (
    <li>
      <Link
        className="conversation-item"
        href={conversationPath(id)}
        navigate={navigate}
        aria-current={isSelected ? "page" : undefined}
      >
        <span dir="auto" className={title ? "conversation-title" : "conversation-title untitled"}>
          {titleOf(conversation)}
        </span>
        <span className="conversation-meta">
          <time dateTime={last_activity_at}>{relativeTime(last_activity_at, now, locale)}</time>
          <span>{count(message_count, "message")}</span>
        </span>
      </Link>
    </li>
  );
}

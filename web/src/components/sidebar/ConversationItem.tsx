import type { Conversation } from "../../api/types";
import { conversationPath, useNavigation } from "../../hooks/useRoute";
import { useIsUnread } from "../../hooks/useUnread";
import { exactTime, relativeTime } from "../../model/time";
import { nameOf } from "../../model/title";
import { common } from "../../texts/common";
import { useSpeech, useTexts } from "../../texts/texts";
import { Link } from "../ui/Link";
import { texts as sidebarTexts } from "./texts";

interface Props {
  conversation: Conversation;
  now: Date;
}

export function ConversationItem({ conversation, now }: Props) {
  const texts = useTexts(sidebarTexts);
  const { untitled } = useTexts(common);
  const { locale } = useSpeech();
  const { route } = useNavigation();
  const isUnread = useIsUnread();
  const { id, title, last_activity_at, message_count, is_answering } = conversation;
  const name = nameOf(conversation);
  const isOpen = route.page === "chat" && route.conversationId === id;
  return (
    <li>
      <Link
        className="conversation-item"
        href={conversationPath(id)}
        aria-current={isOpen ? "page" : undefined}
      >
        <span dir="auto" className={title ? "conversation-title" : "conversation-title untitled"}>
          {name ?? untitled}
        </span>
        <span className="conversation-meta">
          <time dateTime={last_activity_at}>
            {/* Nothing else tells those apart that nobody has named or said anything in. */}
            {name === null
              ? exactTime(last_activity_at, locale)
              : relativeTime(last_activity_at, now, locale)}
          </time>
          {is_answering ? (
            <span className="dot answering" role="img" aria-label={texts.answering} />
          ) : !isOpen && isUnread(conversation) ? (
            <span className="dot" role="img" aria-label={texts.unread} />
          ) : (
            <span>{texts.messages(message_count, locale)}</span>
          )}
        </span>
      </Link>
    </li>
  );
}

import type { Conversation } from "../../api/types";
import { conversationPath, useNavigation } from "../../hooks/useRoute";
import { useIsUnread } from "../../hooks/useUnread";
import { useCommonTexts } from "../../i18n/common";
import { useLocale } from "../../i18n/i18n";
import { exactTime, relativeTime } from "../../model/dateFormat";
import { titleOrTopic } from "../../model/title";
import { Link } from "../ui/Link";
import { useSidebarTexts } from "./texts";

interface Props {
  conversation: Conversation;
  now: Date;
}

export function ConversationItem({ conversation, now }: Props) {
  const texts = useSidebarTexts();
  const { untitled } = useCommonTexts();
  const { locale } = useLocale();
  const { route } = useNavigation();
  const isUnread = useIsUnread();
  const { id, title, last_activity_at, message_count, is_answering } = conversation;
  const name = titleOrTopic(conversation);
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
            {/* The exact time distinguishes conversations without a name. */}
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

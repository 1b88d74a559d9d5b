import type { Conversation } from "../../api/types";
import type { Chat } from "../../hooks/useChat";
import type { Panel } from "../../hooks/useRoute";
import { useCommonTexts } from "../../i18n/common";
import { useLocale } from "../../i18n/i18n";
import { conversationTitle } from "../../model/title";
import { useLayoutTexts } from "../layout/texts";
import { Icon, type IconName } from "../ui/Icon";
import { IconButton } from "../ui/IconButton";
import { Link } from "../ui/Link";
import { ConversationMenu } from "./ConversationMenu";
import { EditableTitle } from "./EditableTitle";
import { useChatTexts } from "./texts";

const icons: Record<Panel, IconName> = { seen: "eye", summary: "summary", numbers: "chart" };

interface Props {
  chat: Chat;
  conversation: Conversation;
  panel: Panel | null;
  onPanel: (panel: Panel | null) => void;
}

export function ChatHeader({ chat, conversation, panel, onPanel }: Props) {
  const texts = useChatTexts();
  const { back } = useLayoutTexts();
  const { archived, untitled } = useCommonTexts();
  const { locale } = useLocale();
  return (
    <header className="pane-header">
      <Link className="back" href="/" aria-label={back}>
        <Icon name="back" />
      </Link>
      <div className="pane-heading">
        <EditableTitle
          key={conversation.id}
          title={conversationTitle(conversation, untitled)}
          hint={conversation.topic}
          onSave={chat.updateConversationTitle}
        />
        <p className="meta">
          <span>{texts.messagesCount(conversation.message_count, locale)}</span>
          <span>{texts.tokens(conversation.token_count, locale)}</span>
          <span>{texts.policyOf(conversation.policy)}</span>
          {conversation.project_id !== null && <span>{texts.projectOf(conversation.project_id)}</span>}
          {conversation.is_archived && <span>{archived}</span>}
        </p>
      </div>
      <div className="pane-actions">
        {(Object.keys(icons) as Panel[]).map((name) => (
          <IconButton
            key={name}
            data-panel={name}
            icon={icons[name]}
            label={texts.panels[name]}
            aria-pressed={panel === name}
            onClick={() => onPanel(panel === name ? null : name)}
          />
        ))}
        <ConversationMenu chat={chat} conversation={conversation} />
      </div>
    </header>
  );
}

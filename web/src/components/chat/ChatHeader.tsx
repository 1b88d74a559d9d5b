import type { Conversation } from "../../api/types";
import type { Chat } from "../../hooks/useChat";
import type { Panel } from "../../hooks/useRoute";
import { titleOf } from "../../model/title";
import { common } from "../../texts/common";
import { useSpeech, useTexts } from "../../texts/texts";
import { texts as frameTexts } from "../frame/texts";
import { Icon, type IconName } from "../ui/Icon";
import { IconButton } from "../ui/IconButton";
import { Link } from "../ui/Link";
import { ConversationMenu } from "./ConversationMenu";
import { EditableTitle } from "./EditableTitle";
import { texts as chatTexts } from "./texts";

const icons: Record<Panel, IconName> = { seen: "eye", summary: "summary", numbers: "chart" };

interface Props {
  chat: Chat;
  conversation: Conversation;
  panel: Panel | null;
  onPanel: (panel: Panel | null) => void;
}

export function ChatHeader({ chat, conversation, panel, onPanel }: Props) {
  const texts = useTexts(chatTexts);
  const { back } = useTexts(frameTexts);
  const { archived, untitled } = useTexts(common);
  const { locale } = useSpeech();
  return (
    <header className="pane-header">
      <Link className="back" href="/" aria-label={back}>
        <Icon name="back" />
      </Link>
      <div className="pane-heading">
        <EditableTitle
          key={conversation.id}
          title={titleOf(conversation, untitled)}
          hint={conversation.topic}
          onSave={chat.updateConversationTitle}
        />
        <p className="facts">
          <span>{texts.messagesCount(conversation.message_count, locale)}</span>
          <span>{texts.tokens(conversation.token_count, locale)}</span>
          <span>{texts.policyOf(conversation.policy)}</span>
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

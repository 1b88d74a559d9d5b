import type { Conversation } from "../api/types";
import { count } from "../model/count";
import { titleOf } from "../model/title";
import { Icon } from "./Icon";
import { Link } from "./Link";

interface Props {
  conversation: Conversation | null;
  navigate: (path: string) => void;
}

export function ConversationHeader({ conversation, navigate }: Props) {
  return (
    <header className="pane-header">
      <Link className="back" href="/" navigate={navigate} aria-label="Back to conversations">
        <Icon name="back" />
      </Link>
      {conversation && (
        <div className="pane-heading">
          <h1 dir="auto" title={conversation.topic ?? undefined}>{titleOf(conversation)}</h1>
          <p className="facts">
            <span>{count(conversation.message_count, "message")}</span>
            <span>{count(conversation.token_count, "token")}</span>
            <span>{conversation.policy} policy</span>
            {conversation.is_archived && <span>Archived</span>}
          </p>
        </div>
      )}
    </header>
  );
}

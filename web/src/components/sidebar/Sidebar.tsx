import type { Conversation, Me } from "../api/types";
import type { Paged } from "../hooks/usePaged";
import { Account } from "./Account";
import { Brand } from "./Brand";
import { ConversationList } from "./ConversationList";
import { FilterBox } from "./FilterBox";
import { NewConversation } from "./NewConversation";

interface Props {
  me: Me;
  conversations: Paged<Conversation>;
  q: string;
  filter: string;
  onFilter: (text: string) => void;
  selectedId: string | null;
  navigate: (path: string) => void;
  onCreated: (conversation: Conversation) => void;
  onSignOut: () => Promise<void>;
}

export function Sidebar(props: Props) {
  const { me, conversations, q, filter, onFilter, selectedId, navigate } = props;
  return (
    <nav className="sidebar" aria-label="Conversations">
      <div className="sidebar-top">
        <Brand navigate={navigate} />
        <NewConversation onCreated={props.onCreated} />
        <FilterBox value={filter} onChange={onFilter} />
      </div>
      <ConversationList
        conversations={conversations}
        q={q}
        selectedId={selectedId}
        navigate={navigate}
      />
      {me.mode !== "local" && <Account me={me} onSignOut={props.onSignOut} />}
    </nav>
  );
}

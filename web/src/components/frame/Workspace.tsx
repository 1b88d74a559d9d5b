import { useCallback, useState } from "react";
import type { Conversation, Me } from "../api/types";
import { useConversations } from "../hooks/useConversations";
import { useDebounced } from "../hooks/useDebounced";
import { useReturn } from "../hooks/useReturn";
import { conversationPath, useRoute } from "../hooks/useRoute";
import { ConversationPane } from "./ConversationPane";
import { Sidebar } from "./Sidebar";
import { Welcome } from "./Welcome";

interface Props {
  me: Me;
  onSignOut: () => Promise<void>;
}

export function Workspace({ me, onSignOut }: Props) {
  const { route, navigate } = useRoute();
  const [filter, setFilter] = useState("");
  const q = useDebounced(filter.trim(), 250);
  const conversations = useConversations(q);
  useReturn(conversations.refresh);

  const { refresh } = conversations;
  const open = useCallback(
    (conversation: Conversation) => {
      navigate(conversationPath(conversation.id));
      setFilter("");
      refresh();
    },
    [navigate, refresh],
  );

  const id = route.conversationId;
  const known = conversations.listing.items.find((item) => item.id === id) ?? null;
  const isEmpty =
    q === "" && conversations.first === "ready" && conversations.listing.items.length === 0;

  return (
    <div className="workspace" data-view={id !== null ? "conversation" : isEmpty ? "welcome" : "list"}>
      <a className="skip-link" href="#main">
        Skip to the conversation
      </a>
      <Sidebar
        me={me}
        conversations={conversations}
        q={q}
        filter={filter}
        onFilter={setFilter}
        selectedId={id}
        navigate={navigate}
        onCreated={open}
        onSignOut={onSignOut}
      />
      <main id="main" className="main" tabIndex={-1}>
        {id === null ? (
          <Welcome me={me} isEmpty={isEmpty} />
        ) : (
          <ConversationPane key={id} id={id} known={known} me={me} navigate={navigate} />
        )}
      </main>
    </div>
  );
}

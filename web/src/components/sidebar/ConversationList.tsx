import type { Conversation } from "../api/types";
import { useNow } from "../hooks/useNow";
import type { Paged } from "../hooks/usePaged";
import { ConversationItem } from "./ConversationItem";
import { ErrorNote } from "./ErrorNote";
import { Loading } from "./Loading";
import { MoreButton } from "./MoreButton";

interface Props {
  conversations: Paged<Conversation>;
  q: string;
  selectedId: string | null;
  navigate: (path: string) => void;
}

export function ConversationList({ conversations, q, selectedId, navigate }: Props) {
  const now = useNow();
  const { listing, first, error, retry } = conversations;

  if (first === "failed" && error) {
    return (
      <div className="conversation-list">
        <ErrorNote error={error} onRetry={retry} />
      </div>
    );
  }
  if (listing.items.length === 0) {
    return (
      <div className="conversation-list">
        {first === "loading" ? (
          <Loading label="Loading conversations" />
        ) : (
          <p className="hint" role="status">
            {q === "" ? "No conversations yet." : `No conversation matches “${q}”.`}
          </p>
        )}
      </div>
    );
  }
  return (
    <div className="conversation-list" aria-busy={first === "loading"}>
      <ul>
        {listing.items.map((conversation) => (
          <ConversationItem
            key={conversation.id}
            conversation={conversation}
            isSelected={conversation.id === selectedId}
            now={now}
            navigate={navigate}
          />
        ))}
      </ul>
      <MoreButton paged={conversations} label="Load more conversations" />
    </div>
  );
}

import type { Conversations } from "../../hooks/useConversations";
import { usePendingDeletions } from "../../hooks/useDeleteConversation";
import { useNow } from "../../hooks/useNow";
import { dateGroup } from "../../model/dateFormat";
import { groupBy } from "../../model/groupBy";
import { ErrorMessage } from "../ui/ErrorMessage";
import { Loading } from "../ui/Loading";
import { LoadMoreButton } from "../ui/LoadMoreButton";
import { ConversationItem } from "./ConversationItem";
import { useSidebarTexts } from "./texts";

interface Props {
  conversations: Conversations;
  q: string;
  isArchived: boolean;
}

export function ConversationList({ conversations, q, isArchived }: Props) {
  const texts = useSidebarTexts();
  const now = useNow();
  const pendingDeletions = usePendingDeletions();
  const { listing, status, error, retry } = conversations;
  const items = listing.items.filter(({ id }) => !pendingDeletions.has(id));
  const groups = groupBy(items, ({ last_activity_at }) => dateGroup(last_activity_at, now));

  if (status === "failed" && error) {
    return (
      <div className="conversation-list">
        <ErrorMessage error={error} onRetry={retry} />
      </div>
    );
  }
  if (items.length === 0) {
    const emptyText = isArchived ? texts.noneArchived : texts.none;
    return (
      <div className="conversation-list">
        {status === "loading" ? (
          <Loading label={texts.loading} />
        ) : (
          <p className="hint" role="status">
            {q === "" ? emptyText : texts.noneMatches(q)}
          </p>
        )}
      </div>
    );
  }
  return (
    <div key={q} className="conversation-list" aria-busy={status === "loading"}>
      {[...groups].map(([name, group]) => (
        <section key={name} aria-labelledby={`group-${name}`}>
          <h2 id={`group-${name}`} className="date-group">
            {texts.dateGroups[name]}
          </h2>
          <ul>
            {group.map((conversation) => (
              <ConversationItem key={conversation.id} conversation={conversation} now={now} />
            ))}
          </ul>
        </section>
      ))}
      <LoadMoreButton list={conversations} label={texts.more} />
    </div>
  );
}

import type { Conversation } from "../../api/types";
import type { Conversations } from "../../hooks/useConversations";
import { useLeaving } from "../../hooks/useDeletion";
import { useNow } from "../../hooks/useNow";
import { groupBy } from "../../model/groupBy";
import { periodOf, type Period } from "../../model/time";
import { useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { Loading } from "../ui/Loading";
import { MoreButton } from "../ui/MoreButton";
import { ConversationItem } from "./ConversationItem";
import { texts as sidebarTexts } from "./texts";

interface Props {
  conversations: Conversations;
  q: string;
  isArchived: boolean;
}

export function ConversationList({ conversations, q, isArchived }: Props) {
  const texts = useTexts(sidebarTexts);
  const now = useNow();
  const leaving = useLeaving();
  const { listing, first, error, retry } = conversations;
  const items = listing.items.filter(({ id }) => !leaving.has(id));

  if (first === "failed" && error) {
    return (
      <div className="conversation-list">
        <ErrorNote error={error} onRetry={retry} />
      </div>
    );
  }
  if (items.length === 0) {
    const nothing = isArchived ? texts.noneArchived : texts.none;
    return (
      <div className="conversation-list">
        {first === "loading" ? (
          <Loading label={texts.loading} />
        ) : (
          <p className="hint" role="status">
            {q === "" ? nothing : texts.noneMatches(q)}
          </p>
        )}
      </div>
    );
  }
  return (
    <div key={q} className="conversation-list" aria-busy={first === "loading"}>
      {byPeriod(items, now).map(([period, group]) => (
        <section key={period} aria-labelledby={`period-${period}`}>
          <h2 id={`period-${period}`} className="period">
            {texts.periods[period]}
          </h2>
          <ul>
            {group.map((conversation) => (
              <ConversationItem key={conversation.id} conversation={conversation} now={now} />
            ))}
          </ul>
        </section>
      ))}
      <MoreButton paged={conversations} label={texts.more} />
    </div>
  );
}

function byPeriod(items: readonly Conversation[], now: Date): [Period, Conversation[]][] {
  return [...groupBy(items, ({ last_activity_at }) => periodOf(last_activity_at, now))];
}

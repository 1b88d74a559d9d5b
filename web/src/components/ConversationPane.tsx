import { useCallback, useEffect } from "react";
import type { Conversation, Me } from "../api/types";
import { useConversation } from "../hooks/useConversation";
import { useMessages } from "../hooks/useMessages";
import { useReturn } from "../hooks/useReturn";
import { titleOf } from "../model/title";
import { ConversationHeader } from "./ConversationHeader";
import { ErrorNote } from "./ErrorNote";
import { Loading } from "./Loading";
import { NoMessages } from "./NoMessages";
import { NotFound } from "./NotFound";
import { Transcript } from "./Transcript";

interface Props {
  id: string;
  /** The conversation as the list shows it, if the list has it. */
  known: Conversation | null;
  me: Me;
  navigate: (path: string) => void;
}

export function ConversationPane({ id, known, me, navigate }: Props) {
  const { conversation, error, reload } = useConversation(id, known);
  const messages = useMessages(id);
  const { refresh, retry } = messages;

  useReturn(
    useCallback(() => {
      reload();
      refresh();
    }, [reload, refresh]),
  );

  const title = conversation && titleOf(conversation);
  useEffect(() => {
    document.title = title === null ? "Recollect" : `${title} · Recollect`;
    return () => {
      document.title = "Recollect";
    };
  }, [title]);

  // A header that fails to refresh is no reason to take the text away.
  const fatal = error?.isNotFound || conversation === null ? error : null;
  const failure = messages.first === "failed" ? messages.error : fatal;
  if (failure?.isNotFound) return <NotFound navigate={navigate} />;
  return (
    <section className="pane" aria-label={title ?? "Conversation"}>
      <ConversationHeader conversation={conversation} navigate={navigate} />
      {failure ? (
        <div className="empty">
          <ErrorNote
            error={failure}
            onRetry={() => {
              reload();
              retry();
            }}
          />
        </div>
      ) : messages.listing.items.length > 0 ? (
        <Transcript messages={messages} />
      ) : messages.first === "loading" ? (
        <div className="empty">
          <Loading label="Loading messages" />
        </div>
      ) : (
        <NoMessages id={id} me={me} />
      )}
    </section>
  );
}

import { useMemo } from "react";
import type { Message } from "../api/types";
import type { Paged } from "../hooks/usePaged";
import { useTranscriptScroll } from "../hooks/useTranscriptScroll";
import { groupByTurn } from "../model/turn";
import { MessageItem } from "./MessageItem";
import { MoreButton } from "./MoreButton";

export function Transcript({ messages }: { messages: Paged<Message> }) {
  const { items } = messages.listing;
  const turns = useMemo(() => groupByTurn(items), [items]);
  const { box, onScroll } = useTranscriptScroll(items);

  return (
    <div
      ref={box}
      className="transcript"
      role="region"
      aria-label="Messages"
      tabIndex={0}
      onScroll={onScroll}
    >
      <div className="transcript-column">
        <MoreButton paged={messages} label="Load older messages" />
        {turns.map((turn) => (
          <section key={turn.number} className="turn" aria-label={`Turn ${turn.number}`}>
            {turn.number > 0 && (
              <p className="turn-number" aria-hidden="true">
                Turn {turn.number}
              </p>
            )}
            {turn.messages.map((message) => (
              <MessageItem key={message.id} message={message} />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

import type { PendingQuestion as Pending } from "../../session/ChatSession";
import { useTexts } from "../../texts/texts";
import { texts as chatTexts } from "./texts";

/** A question that the server has not acknowledged yet. */
export function PendingQuestion({ pending, isFailed }: { pending: Pending; isFailed: boolean }) {
  const texts = useTexts(chatTexts);
  return (
    <article className="message pending" data-role="user" aria-label={texts.asked} aria-busy={!isFailed}>
      <header className="message-header">
        <span className="speaker">{texts.asked}</span>
      </header>
      <p className="text" dir="auto">
        {pending.text}
      </p>
      {!isFailed && (
        <span className="loading-dots" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
      )}
    </article>
  );
}

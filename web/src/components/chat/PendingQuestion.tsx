import type { PendingQuestion as Pending } from "../../session/ChatSession";
import { LoadingDots } from "../ui/Loading";
import { useChatTexts } from "./texts";

/** A question that is not stored yet. */
export function PendingQuestion({ pending, isFailed }: { pending: Pending; isFailed: boolean }) {
  const texts = useChatTexts();
  return (
    <article className="message pending" data-role="user" aria-label={texts.asked} aria-busy={!isFailed}>
      <header className="message-header">
        <span className="author">{texts.asked}</span>
      </header>
      <p className="text" dir="auto">
        {pending.text}
      </p>
      {!isFailed && <LoadingDots />}
    </article>
  );
}

import type { Failure } from "../../session/ChatSession";
import { useTexts } from "../../texts/texts";
import { texts as frameTexts } from "../frame/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { Link } from "../ui/Link";
import { texts as chatTexts } from "./texts";

/** What stands in the place of a conversation that could not be opened. */
export function Unopened({ failure }: { failure: Failure }) {
  const texts = useTexts(chatTexts);
  const { showConversations } = useTexts(frameTexts);
  if (!failure.error.isNotFound) {
    return (
      <div className="empty">
        <ErrorNote error={failure.error} onRetry={failure.retry ?? undefined} />
      </div>
    );
  }
  return (
    <div className="empty">
      <h1>{texts.notFound}</h1>
      <p>{texts.notFoundHint}</p>
      <Link className="button" href="/">
        {showConversations}
      </Link>
    </div>
  );
}

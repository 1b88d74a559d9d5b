import type { Failure } from "../../session/ChatSession";
import { useTexts } from "../../texts/texts";
import { texts as frameTexts } from "../frame/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { Link } from "../ui/Link";
import { Nothing } from "../ui/Nothing";
import { texts as chatTexts } from "./texts";

/** What stands in the place of a conversation that is not there, or could not be opened. */
export function Unopened({ failure }: { failure: Failure | null }) {
  const texts = useTexts(chatTexts);
  const { showConversations } = useTexts(frameTexts);
  if (failure && !failure.error.isNotFound) {
    return (
      <div className="empty">
        <ErrorNote error={failure.error} onRetry={failure.retry ?? undefined} />
      </div>
    );
  }
  return (
    <Nothing title={texts.notFound} level={1} hints={[texts.notFoundHint]}>
      <Link className="button" href="/">
        {showConversations}
      </Link>
    </Nothing>
  );
}

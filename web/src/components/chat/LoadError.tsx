import type { Failure } from "../../session/ChatSession";
import { useLayoutTexts } from "../layout/texts";
import { EmptyState } from "../ui/EmptyState";
import { ErrorMessage } from "../ui/ErrorMessage";
import { Link } from "../ui/Link";
import { useChatTexts } from "./texts";

/** Shown instead of a conversation that does not exist or failed to load. */
export function LoadError({ failure }: { failure: Failure | null }) {
  const texts = useChatTexts();
  const { showConversations } = useLayoutTexts();
  if (failure && !failure.error.isNotFound) {
    return (
      <div className="empty">
        <ErrorMessage error={failure.error} onRetry={failure.retry ?? undefined} />
      </div>
    );
  }
  return (
    <EmptyState title={texts.notFound} level={1} hints={[texts.notFoundHint]}>
      <Link className="button" href="/">
        {showConversations}
      </Link>
    </EmptyState>
  );
}

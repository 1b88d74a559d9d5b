import type { ApiError } from "../../api/error";
import { common } from "../../texts/common";
import { sayError } from "../../texts/sayError";
import { useTexts } from "../../texts/texts";

interface Props {
  error: ApiError;
  onRetry?: (() => void) | undefined;
}

/** What went wrong, where it went wrong, with a way to try again. */
export function ErrorNote({ error, onRetry }: Props) {
  const texts = useTexts(common);
  return (
    <div className="error-note" role="alert">
      <p>{sayError(error, texts)}</p>
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          {texts.retry}
        </button>
      )}
    </div>
  );
}

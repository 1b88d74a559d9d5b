import type { ApiError } from "../api/error";

interface Props {
  error: ApiError;
  onRetry: () => void;
}

export function ErrorNote({ error, onRetry }: Props) {
  return (
    <div className="error-note" role="alert">
      <p>{error.message}</p>
      <button type="button" className="button" onClick={onRetry}>
        Retry
      </button>
    </div>
  );
}

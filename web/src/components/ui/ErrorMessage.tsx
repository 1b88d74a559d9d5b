import type { ApiError } from "../../api/error";
import { useCommonTexts } from "../../i18n/common";
import { errorMessage } from "../../i18n/errorMessage";
import { Button } from "./Button";

interface Props {
  error: ApiError;
  onRetry?: (() => void) | undefined;
}

export function ErrorMessage({ error, onRetry }: Props) {
  const texts = useCommonTexts();
  return (
    <div className="error-message" role="alert">
      <p>{errorMessage(error, texts)}</p>
      {onRetry && (
        <Button onClick={onRetry}>{texts.retry}</Button>
      )}
    </div>
  );
}

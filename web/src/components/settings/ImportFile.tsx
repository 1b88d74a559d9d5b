import { useRef, type ChangeEvent } from "react";
import { ApiError } from "../../api/error";
import { useCommonTexts } from "../../i18n/common";
import { useLocale } from "../../i18n/i18n";
import { formatBytes, formatPercent } from "../../model/numberFormat";
import { Button } from "../ui/Button";
import { ErrorMessage } from "../ui/ErrorMessage";
import { ImportResult } from "./ImportResult";
import { useSettingsTexts } from "./texts";
import { useImport } from "./useImport";

/** Imports a file as soon as it is chosen. */
export function ImportFile({ maxBytes }: { maxBytes: number }) {
  const texts = useSettingsTexts();
  const { locale } = useLocale();
  const { current, start, reject, cancel } = useImport();
  const input = useRef<HTMLInputElement>(null);
  const isBusy = current.state === "running";

  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    target.value = ""; // allows choosing the same file again
    if (!file) return;
    if (file.size > maxBytes) reject(new ApiError(413, texts.tooLarge(formatBytes(maxBytes, locale))));
    else void start(file);
  };

  return (
    <div className="data-action">
      <p className="hint" id="import-hint">
        {texts.importHint}
      </p>
      <label className="button" aria-disabled={isBusy}>
        <input
          ref={input}
          type="file"
          className="visually-hidden"
          accept=".jsonl,.json,.zip"
          aria-describedby="import-hint"
          aria-disabled={isBusy}
          onClick={(event) => {
            if (isBusy) event.preventDefault();
          }}
          onChange={choose}
        />
        {texts.chooseFile}
      </label>
      {current.state === "running" && (
        <Progress
          share={current.share}
          onCancel={() => {
            input.current?.focus();
            cancel();
          }}
        />
      )}
      {current.state === "cancelled" && (
        <p className="hint" role="status">
          {texts.cancelled}
        </p>
      )}
      {current.state === "failed" && <ErrorMessage error={current.error} />}
      {current.state === "done" && <ImportResult report={current.report} />}
    </div>
  );
}

/** First the upload, then the import on the server, whose duration is unknown. */
function Progress({ share, onCancel }: { share: number; onCancel: () => void }) {
  const texts = useSettingsTexts();
  const { cancel } = useCommonTexts();
  const { locale } = useLocale();
  const text = share < 1 ? texts.sending(formatPercent(share, locale)) : texts.importing;
  return (
    <div className="import-progress">
      <progress aria-label={text} {...(share < 1 && { value: share })} />
      <span className="hint">{text}</span>
      <Button className="small" onClick={onCancel}>{cancel}</Button>
    </div>
  );
}

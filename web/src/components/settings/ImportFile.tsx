import { useRef, type ChangeEvent } from "react";
import { ApiError } from "../../api/error";
import { bytes, percent } from "../../model/amounts";
import { common } from "../../texts/common";
import { useSpeech, useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { ImportResult } from "./ImportResult";
import { texts as settingsTexts } from "./texts";
import { useImport } from "./useImport";

/** Reads a file in as soon as it is chosen. `most` is how many bytes the server takes. */
export function ImportFile({ most }: { most: number }) {
  const texts = useTexts(settingsTexts);
  const { locale } = useSpeech();
  const { current, start, refuse, cancel } = useImport();
  const input = useRef<HTMLInputElement>(null);
  const isBusy = current.state === "running";

  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    target.value = ""; // so that the same file can be chosen again
    if (!file) return;
    if (file.size > most) refuse(new ApiError(413, texts.tooLarge(bytes(most, locale))));
    else void start(file);
  };

  return (
    <div className="deed">
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
      {current.state === "failed" && <ErrorNote error={current.error} />}
      {current.state === "done" && <ImportResult report={current.report} />}
    </div>
  );
}

/** First the file is on its way, then the server is busy with it, for as long as it takes. */
function Progress({ share, onCancel }: { share: number; onCancel: () => void }) {
  const texts = useTexts(settingsTexts);
  const { cancel } = useTexts(common);
  const { locale } = useSpeech();
  const text = share < 1 ? texts.sending(percent(share, locale)) : texts.importing;
  return (
    <div className="import-progress">
      <progress aria-label={text} {...(share < 1 && { value: share })} />
      <span className="hint">{text}</span>
      <button type="button" className="button small" onClick={onCancel}>
        {cancel}
      </button>
    </div>
  );
}

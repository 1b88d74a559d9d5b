import { useState, type FormEvent } from "react";
import { deleteMe, exportPath, type DeletedUserCounts } from "../../api/data";
import { ApiError } from "../../api/error";
import type { Me } from "../../api/types";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { forgetHere } from "./forgetHere";
import { texts as settingsTexts } from "./texts";
import { wantsFocus } from "./wantsFocus";

interface Props {
  me: Me;
  onCancel: () => void;
  onDeleted: (deleted: DeletedUserCounts) => void;
}

/** Nobody types the word by accident. */
export function DeleteForm({ me, onCancel, onDeleted }: Props) {
  const texts = useTexts(settingsTexts);
  const { cancel } = useTexts(common);
  const [typed, setTyped] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const isReady = typed.trim().toLowerCase() === texts.deleteWord && !isBusy;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    setBusy(true);
    setError(null);
    try {
      const { deleted } = await deleteMe();
      forgetHere();
      onDeleted(deleted);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setError(error);
      setBusy(false);
    }
  };

  return (
    <form className="settings-form" onSubmit={(event) => void submit(event)}>
      <div className="warning">
        <p>{texts.deleteWarning}</p>
        {me.mode === "keys" && <p>{texts.deleteKeysNote}</p>}
      </div>
      <p>
        <a href={exportPath} download="recollect.jsonl">
          {texts.exportFirst}
        </a>
      </p>
      <label className="field">
        <span>{texts.deleteType(texts.deleteWord)}</span>
        <input
          ref={wantsFocus}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {error && <ErrorNote error={error} />}
      <div className="actions">
        <button type="button" className="button" onClick={onCancel}>
          {cancel}
        </button>
        <button type="submit" className="button danger" aria-disabled={!isReady}>
          {texts.deleteConfirm}
        </button>
      </div>
    </form>
  );
}

import { useState, type FormEvent } from "react";
import { deleteMe, exportPath, type DeletedUserCounts } from "../../api/data";
import type { Me } from "../../api/types";
import { forgetHere } from "../../hooks/forgetHere";
import { useSaving } from "../../hooks/useSaving";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { wantsFocus } from "../ui/wantsFocus";
import { texts as settingsTexts } from "./texts";

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
  const { isSaving, error, save } = useSaving(async () => {
    const { deleted } = await deleteMe();
    forgetHere();
    onDeleted(deleted);
  });
  const isReady = typed.trim().toLowerCase() === texts.deleteWord && !isSaving;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) void save();
  };

  return (
    <form className="settings-form" onSubmit={submit}>
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

import { useState, type FormEvent } from "react";
import { deleteMe, exportPath, type DeletedUserCounts } from "../../api/data";
import type { Me } from "../../api/types";
import { useMutation } from "../../hooks/useMutation";
import { clearUserStorage } from "../../hooks/userStorage";
import { useCommonTexts } from "../../i18n/common";
import { namedCounts } from "../../model/namedCounts";
import { Button } from "../ui/Button";
import { autofocus, Dialog } from "../ui/Dialog";
import { ErrorMessage } from "../ui/ErrorMessage";
import { CountList } from "./CountList";
import { useSettingsTexts } from "./texts";

/** Loads the app again, because all its data is gone. */
function restart(): void {
  window.location.assign("/");
}

/** Asks for confirmation, deletes all data of the user, and shows what was deleted. */
export function DeleteAllDialog({ me, onClose }: { me: Me; onClose: () => void }) {
  const texts = useSettingsTexts();
  const [deleted, setDeleted] = useState<DeletedUserCounts | null>(null);

  if (!deleted) {
    return (
      <Dialog title={texts.deleteTitle} onClose={onClose}>
        <DeleteForm me={me} onCancel={onClose} onDeleted={setDeleted} />
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.deleted} onClose={restart}>
      <div className="settings-form" role="status">
        <CountList
          title={texts.deleted}
          counts={namedCounts(deleted, texts.deletedNames)}
          empty={texts.deletedNothing}
        />
        <p>{texts.deletedNow}</p>
        <div className="actions">
          <Button className="primary" autoFocus onClick={restart}>{texts.done}</Button>
        </div>
      </div>
    </Dialog>
  );
}

interface FormProps {
  me: Me;
  onCancel: () => void;
  onDeleted: (deleted: DeletedUserCounts) => void;
}

/** Requires the user to type a word, so that nobody deletes everything by accident. */
function DeleteForm({ me, onCancel, onDeleted }: FormProps) {
  const texts = useSettingsTexts();
  const { cancel } = useCommonTexts();
  const [typed, setTyped] = useState("");
  const { isPending, error, mutate } = useMutation(async () => {
    const { deleted } = await deleteMe();
    clearUserStorage();
    onDeleted(deleted);
  });
  const isReady = typed.trim().toLowerCase() === texts.deleteWord && !isPending;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) void mutate();
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
          ref={autofocus}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {error && <ErrorMessage error={error} />}
      <div className="actions">
        <Button onClick={onCancel}>{cancel}</Button>
        <Button type="submit" className="danger" aria-disabled={!isReady}>
          {texts.deleteConfirm}
        </Button>
      </div>
    </form>
  );
}

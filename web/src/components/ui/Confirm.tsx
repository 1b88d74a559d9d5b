import { useSaving } from "../../hooks/useSaving";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { Dialog } from "./Dialog";
import { ErrorNote } from "./ErrorNote";
import { wantsFocus } from "./wantsFocus";

interface Props {
  title: string;
  text: string;
  /** The words on the button that does it. */
  confirm: string;
  isDangerous?: boolean;
  /** The window closes when it is done, and says why where it failed. */
  onConfirm: () => Promise<void> | void;
  onClose: () => void;
}

/** Asks before something is done. Whoever just presses Enter has not said yes. */
export function Confirm({ title, text, confirm, isDangerous = false, onConfirm, onClose }: Props) {
  const { cancel } = useTexts(common);
  const { isSaving, error, save } = useSaving(async () => {
    await onConfirm();
    onClose();
  });

  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {error && <ErrorNote error={error} />}
      <div className="actions">
        <button type="button" className="button quiet" ref={wantsFocus} onClick={onClose}>
          {cancel}
        </button>
        <button
          type="button"
          className={isDangerous ? "button danger" : "button primary"}
          aria-disabled={isSaving}
          onClick={() => void save()}
        >
          {confirm}
        </button>
      </div>
    </Dialog>
  );
}

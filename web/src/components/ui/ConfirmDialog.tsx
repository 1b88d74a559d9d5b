import { useMutation } from "../../hooks/useMutation";
import { useCommonTexts } from "../../i18n/common";
import { Button } from "./Button";
import { autofocus, Dialog } from "./Dialog";
import { ErrorMessage } from "./ErrorMessage";

interface Props {
  title: string;
  text: string;
  /** Label of the confirm button. */
  confirm: string;
  isDangerous?: boolean;
  /** The dialog closes on success and shows the error otherwise. */
  onConfirm: () => Promise<void> | void;
  onClose: () => void;
}

/** Asks for confirmation. The focus is on Cancel, so that Enter alone does not confirm. */
export function ConfirmDialog({ title, text, confirm, isDangerous = false, onConfirm, onClose }: Props) {
  const { cancel } = useCommonTexts();
  const { isPending, error, mutate } = useMutation(async () => {
    await onConfirm();
    onClose();
  });

  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {error && <ErrorMessage error={error} />}
      <div className="actions">
        <Button className="quiet" ref={autofocus} onClick={onClose}>{cancel}</Button>
        <button
          type="button"
          className={isDangerous ? "button danger" : "button primary"}
          aria-disabled={isPending}
          onClick={() => void mutate()}
        >
          {confirm}
        </button>
      </div>
    </Dialog>
  );
}

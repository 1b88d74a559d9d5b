import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { Dialog } from "../ui/Dialog";

interface Props {
  title: string;
  text: string;
  action: string;
  onConfirm: () => void;
  onClose: () => void;
}

export function Confirm({ title, text, action, onConfirm, onClose }: Props) {
  const { cancel } = useTexts(common);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <div className="actions">
        <button type="button" className="button quiet" onClick={onClose}>
          {cancel}
        </button>
        <button
          type="button"
          className="button primary"
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {action}
        </button>
      </div>
    </Dialog>
  );
}

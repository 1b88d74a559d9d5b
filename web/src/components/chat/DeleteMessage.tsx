import { useState } from "react";
import { ApiError } from "../../api/error";
import type { Message } from "../../api/types";
import type { Chat } from "../../hooks/useChat";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { texts as chatTexts } from "./texts";

interface Props {
  chat: Chat;
  message: Message;
  onClose: () => void;
}

export function DeleteMessage({ chat, message, onClose }: Props) {
  const texts = useTexts(chatTexts);
  const { cancel, delete: confirm } = useTexts(common);
  const [error, setError] = useState<ApiError | null>(null);

  const remove = () =>
    chat.remove(message).then(onClose, (failure: unknown) => {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    });

  return (
    <Dialog title={texts.deleteMessage} onClose={onClose}>
      <p>{texts.deleteMessageHint}</p>
      {error && <ErrorNote error={error} />}
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          {cancel}
        </button>
        <button type="button" className="button danger" onClick={() => void remove()}>
          {confirm}
        </button>
      </div>
    </Dialog>
  );
}

import type { Message } from "../../api/types";
import type { Chat } from "../../hooks/useChat";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { Confirm } from "../ui/Confirm";
import { texts as chatTexts } from "./texts";

interface Props {
  chat: Chat;
  message: Message;
  onClose: () => void;
}

export function DeleteMessage({ chat, message, onClose }: Props) {
  const texts = useTexts(chatTexts);
  const { delete: confirm } = useTexts(common);
  return (
    <Confirm
      title={texts.deleteMessage}
      text={texts.deleteMessageHint}
      confirm={confirm}
      isDangerous
      onConfirm={() => chat.remove(message)}
      onClose={onClose}
    />
  );
}

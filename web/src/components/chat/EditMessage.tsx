import { useState } from "react";
import type { Message } from "../../api/types";
import { useCommonTexts } from "../../i18n/common";
import { Button } from "../ui/Button";
import { useChatTexts } from "./texts";
import type { MessageCommands } from "./useMessageCommands";

interface Props {
  message: Message;
  isBusy: boolean;
  commands: Pick<MessageCommands, "beginEdit" | "edit">;
}

export function EditMessage({ message, isBusy, commands }: Props) {
  const texts = useChatTexts();
  const { cancel } = useCommonTexts();
  const [text, setText] = useState(message.content);
  const canSend = text.trim() !== "" && !isBusy;
  return (
    <form
      className="edit-message"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) commands.edit(message, text);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") commands.beginEdit(null);
        const isShortcut = event.key === "Enter" && (event.ctrlKey || event.metaKey);
        if (isShortcut && canSend) commands.edit(message, text);
      }}
    >
      <textarea
        autoFocus
        aria-label={texts.editMessage}
        rows={3}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="hint">{texts.editHint}</p>
      <div className="actions">
        <Button onClick={() => commands.beginEdit(null)}>{cancel}</Button>
        <Button type="submit" className="primary" disabled={!canSend}>{texts.send}</Button>
      </div>
    </form>
  );
}

import { useState } from "react";
import type { Message } from "../../api/types";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import type { MessageCommands } from "./commands";
import { texts as chatTexts } from "./texts";

interface Props {
  message: Message;
  /** Whether nothing can be asked just now: then what is written waits. */
  isBusy: boolean;
  commands: Pick<MessageCommands, "beginEdit" | "edit">;
}

export function EditMessage({ message, isBusy, commands }: Props) {
  const texts = useTexts(chatTexts);
  const { cancel } = useTexts(common);
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
        const isSent = event.key === "Enter" && (event.ctrlKey || event.metaKey);
        if (isSent && canSend) commands.edit(message, text);
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
        <button type="button" className="button" onClick={() => commands.beginEdit(null)}>
          {cancel}
        </button>
        <button type="submit" className="button primary" disabled={!canSend}>
          {texts.send}
        </button>
      </div>
    </form>
  );
}

import { useState } from "react";
import type { Message } from "../../api/types";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import type { MessageCommands } from "./commands";
import { texts as chatTexts } from "./texts";

interface Props {
  message: Message;
  commands: Pick<MessageCommands, "beginEdit" | "edit">;
}

export function EditMessage({ message, commands }: Props) {
  const texts = useTexts(chatTexts);
  const { cancel } = useTexts(common);
  const [text, setText] = useState(message.content);
  const isEmpty = text.trim() === "";
  return (
    <form
      className="edit-message"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) commands.edit(message, text);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") commands.beginEdit(null);
        const isSent = event.key === "Enter" && (event.ctrlKey || event.metaKey);
        if (isSent && !isEmpty) commands.edit(message, text);
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
        <button type="submit" className="button primary" disabled={isEmpty}>
          {texts.send}
        </button>
      </div>
    </form>
  );
}

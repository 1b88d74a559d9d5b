import { useState } from "react";
import type { NotesByName } from "../../hooks/useAskOptions";
import { useCommonTexts } from "../../i18n/common";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Icon } from "../ui/Icon";
import { IconButton } from "../ui/IconButton";
import { useChatTexts } from "./texts";

interface Props {
  notes: NotesByName;
  onChange: (notes: NotesByName) => void;
}

/** Named notes that are sent to the model with each message. */
export function Notes({ notes, onChange }: Props) {
  const texts = useChatTexts();
  const [editing, setEditing] = useState<string | null>(null);

  const remove = (name: string) => {
    const { [name]: _, ...rest } = notes;
    onChange(rest);
  };

  return (
    <div className="notes">
      <IconButton icon="note" label={texts.attach} onClick={() => setEditing("")} />
      <ul aria-label={texts.attached}>
        {Object.keys(notes).map((name) => (
          <li key={name} className="tag">
            <button type="button" className="note-name" onClick={() => setEditing(name)}>
              <Icon name="note" />
              {name}
            </button>
            <IconButton icon="close" label={texts.removeNote(name)} onClick={() => remove(name)} />
          </li>
        ))}
      </ul>
      {editing !== null && (
        <NoteDialog
          name={editing}
          text={notes[editing] ?? ""}
          onClose={() => setEditing(null)}
          onSave={(name, text) => {
            const { [editing]: _, ...rest } = notes;
            onChange({ ...rest, [name]: text });
            setEditing(null);
          }}
        />
      )}
    </div>
  );
}

interface DialogProps {
  name: string;
  text: string;
  onClose: () => void;
  onSave: (name: string, text: string) => void;
}

function NoteDialog(props: DialogProps) {
  const texts = useChatTexts();
  const { cancel, save } = useCommonTexts();
  const isKnown = props.name === "" || props.name in texts.noteNames;
  const [choice, setChoice] = useState(isKnown ? props.name || "page" : "other");
  const [other, setOther] = useState(isKnown ? "" : props.name);
  const [text, setText] = useState(props.text);
  const name = choice === "other" ? other.trim() : choice;
  const isReady = name !== "" && text.trim() !== "";

  return (
    <Dialog title={texts.attach} onClose={props.onClose}>
      <p className="hint">{texts.notesHint}</p>
      <label className="field">
        <span>{texts.noteName}</span>
        <select value={choice} onChange={(event) => setChoice(event.target.value)}>
          {Object.entries(texts.noteNames).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          <option value="other">{texts.noteOther}</option>
        </select>
      </label>
      {choice === "other" && (
        <label className="field">
          <span>{texts.noteOther}</span>
          <input value={other} onChange={(event) => setOther(event.target.value)} />
        </label>
      )}
      <label className="field">
        <span>{texts.noteText}</span>
        <textarea rows={6} value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <div className="actions">
        <Button onClick={props.onClose}>{cancel}</Button>
        <Button className="primary" disabled={!isReady} onClick={() => props.onSave(name, text)}>
          {save}
        </Button>
      </div>
    </Dialog>
  );
}

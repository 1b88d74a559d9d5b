import { useRef, useState } from "react";
import { useTrying } from "../../hooks/useTrying";
import { useTexts } from "../../texts/texts";
import { IconButton } from "../ui/IconButton";
import { texts as chatTexts } from "./texts";

interface Props {
  title: string;
  hint: string | null;
  onSave: (title: string) => Promise<void>;
}

/** A heading that becomes a field: Enter and leaving it save, Escape does not. */
export function EditableTitle({ title, hint, onSave }: Props) {
  const texts = useTexts(chatTexts);
  const trying = useTrying();
  const [draft, setDraft] = useState<string | null>(null);
  /** The title as it was when editing began: meanwhile the conversation may get one by itself. */
  const before = useRef(title);
  const button = useRef<HTMLButtonElement>(null);

  const end = (isSaved: boolean) => {
    const text = draft?.trim() ?? "";
    setDraft(null);
    if (isSaved && text !== "" && text !== before.current) trying(onSave(text));
  };
  const begin = () => {
    before.current = title;
    setDraft(title);
  };
  const endByKey = (isSaved: boolean) => {
    end(isSaved);
    requestAnimationFrame(() => button.current?.focus());
  };

  if (draft !== null) {
    return (
      <input
        className="title-field"
        autoFocus
        aria-label={texts.editTitle}
        maxLength={255}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => end(true)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing) endByKey(true);
          if (event.key === "Escape") endByKey(false);
        }}
      />
    );
  }
  return (
    <div className="title">
      <h1 dir="auto" title={hint ?? undefined}>
        {title}
      </h1>
      <IconButton ref={button} icon="edit" label={texts.editTitle} onClick={begin} />
    </div>
  );
}

import { useRef, useState } from "react";
import { ApiError } from "../../api/error";
import { useToasts } from "../../hooks/useToasts";
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
  const tell = useToasts();
  const [draft, setDraft] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);

  const end = (isSaved: boolean) => {
    const text = draft?.trim() ?? "";
    setDraft(null);
    requestAnimationFrame(() => button.current?.focus());
    if (!isSaved || text === "" || text === title) return;
    onSave(text).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      tell({ text: error.message, isError: true });
    });
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
          if (event.key === "Enter") end(true);
          if (event.key === "Escape") end(false);
        }}
      />
    );
  }
  return (
    <div className="title">
      <h1 dir="auto" title={hint ?? undefined}>
        {title}
      </h1>
      <IconButton ref={button} icon="edit" label={texts.editTitle} onClick={() => setDraft(title)} />
    </div>
  );
}

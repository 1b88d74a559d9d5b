import { useRef, useState } from "react";
import { useErrorToast } from "../../hooks/useErrorToast";
import { IconButton } from "../ui/IconButton";
import { useChatTexts } from "./texts";

interface Props {
  title: string;
  hint: string | null;
  onSave: (title: string) => Promise<void>;
}

/** A heading that becomes a text field. Enter and blur save, Escape cancels. */
export function EditableTitle({ title, hint, onSave }: Props) {
  const texts = useChatTexts();
  const withErrorToast = useErrorToast();
  const [draft, setDraft] = useState<string | null>(null);
  /** The title when editing started: the server may change it meanwhile. */
  const initialTitle = useRef(title);
  const button = useRef<HTMLButtonElement>(null);

  const end = (shouldSave: boolean) => {
    const text = draft?.trim() ?? "";
    setDraft(null);
    if (shouldSave && text !== "" && text !== initialTitle.current) withErrorToast(onSave(text));
  };
  const start = () => {
    initialTitle.current = title;
    setDraft(title);
  };
  const endWithFocus = (shouldSave: boolean) => {
    end(shouldSave);
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
          if (event.key === "Enter" && !event.nativeEvent.isComposing) endWithFocus(true);
          if (event.key === "Escape") endWithFocus(false);
        }}
      />
    );
  }
  return (
    <div className="title">
      <h1 dir="auto" title={hint ?? undefined}>
        {title}
      </h1>
      <IconButton ref={button} icon="edit" label={texts.editTitle} onClick={start} />
    </div>
  );
}

import { useEffect, useId, useRef, type KeyboardEvent } from "react";
import type { MemoryType } from "../../api/types";
import { memoryTypes } from "../../model/memoryFilter";
import { useMemoryTexts } from "./texts";

export interface MemoryDraft {
  content: string;
  memory_type: MemoryType;
  category: string;
}

interface Props {
  draft: MemoryDraft;
  categories: readonly string[];
  onChange: (draft: MemoryDraft) => void;
}

export function MemoryFields({ draft, categories, onChange }: Props) {
  const texts = useMemoryTexts();
  const listId = useId();
  const content = useRef<HTMLTextAreaElement>(null);

  // Not `autoFocus`: the dialog sets its own focus when it opens.
  useEffect(() => content.current?.focus(), []);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };

  return (
    <>
      <label className="field">
        <span>{texts.content}</span>
        <textarea
          ref={content}
          required
          rows={2}
          maxLength={8_000}
          dir="auto"
          placeholder={texts.contentHint}
          value={draft.content}
          onChange={(event) => onChange({ ...draft, content: event.target.value })}
          onKeyDown={onKeyDown}
        />
      </label>
      <div className="memory-field-row">
        <label className="field">
          <span>{texts.type}</span>
          <select
            value={draft.memory_type}
            onChange={(event) =>
              onChange({ ...draft, memory_type: event.target.value as MemoryType })
            }
          >
            {memoryTypes.map((type) => (
              <option key={type} value={type}>
                {texts.typeOf[type]}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>{texts.category}</span>
          <input
            list={listId}
            maxLength={100}
            autoComplete="off"
            placeholder={texts.noCategory}
            value={draft.category}
            onChange={(event) => onChange({ ...draft, category: event.target.value })}
          />
        </label>
        <datalist id={listId}>
          {categories.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
    </>
  );
}

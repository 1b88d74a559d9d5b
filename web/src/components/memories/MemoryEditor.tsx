import { useState, type FormEvent, type KeyboardEvent } from "react";
import type { Memory, MemoryUpdate } from "../../api/types";
import { useSaving } from "../../hooks/useSaving";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { MemoryFields, type MemoryDraft } from "./MemoryFields";
import { texts as memoryTexts } from "./texts";

interface Props {
  memory: Memory;
  categories: readonly string[];
  /** Only what differs. */
  onSave: (changes: MemoryUpdate) => Promise<void>;
  onClose: () => void;
}

/** A memory in its place in the list, open to correction. */
export function MemoryEditor({ memory, categories, onSave, onClose }: Props) {
  const texts = useTexts(memoryTexts);
  const { cancel, save: saveLabel } = useTexts(common);
  const [draft, setDraft] = useState<MemoryDraft>({
    content: memory.content,
    memory_type: memory.memory_type,
    category: memory.category ?? "",
  });

  const isBlank = draft.content.trim() === "";
  const { isSaving, error, save } = useSaving(async () => {
    if (isBlank) return;
    await onSave(differing(memory, draft));
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
  };

  return (
    <form
      className="memory-form"
      aria-label={texts.editOf(memory.content)}
      onSubmit={submit}
      onKeyDown={onKeyDown}
    >
      <MemoryFields draft={draft} categories={categories} onChange={setDraft} />
      {error && <ErrorNote error={error} />}
      <div className="actions">
        <button type="button" className="button quiet" onClick={onClose}>
          {cancel}
        </button>
        <button type="submit" className="button primary" aria-disabled={isSaving || isBlank}>
          {isSaving ? texts.saving : saveLabel}
        </button>
      </div>
    </form>
  );
}

/** What is sent becomes the reader's own, so nothing goes that they have not changed. */
function differing(memory: Memory, draft: MemoryDraft): MemoryUpdate {
  const content = draft.content.trim();
  const category = draft.category.trim() || null;
  return {
    ...(content !== memory.content && { content }),
    ...(draft.memory_type !== memory.memory_type && { memory_type: draft.memory_type }),
    ...(category !== memory.category && { category }),
  };
}

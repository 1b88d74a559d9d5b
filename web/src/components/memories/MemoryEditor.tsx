import { useState, type FormEvent, type KeyboardEvent } from "react";
import type { Memory, MemoryUpdate } from "../../api/types";
import { useMutation } from "../../hooks/useMutation";
import { useCommonTexts } from "../../i18n/common";
import { Button } from "../ui/Button";
import { ErrorMessage } from "../ui/ErrorMessage";
import { MemoryFields, type MemoryDraft } from "./MemoryFields";
import { useMemoryTexts } from "./texts";

interface Props {
  memory: Memory;
  categories: readonly string[];
  /** Gets the changed fields only. */
  onSave: (changes: MemoryUpdate) => Promise<void>;
  onClose: () => void;
}

export function MemoryEditor({ memory, categories, onSave, onClose }: Props) {
  const texts = useMemoryTexts();
  const { cancel, save: saveLabel } = useCommonTexts();
  const [draft, setDraft] = useState<MemoryDraft>({
    content: memory.content,
    memory_type: memory.memory_type,
    category: memory.category ?? "",
  });

  const isBlank = draft.content.trim() === "";
  const { isPending, error, mutate } = useMutation(async () => {
    if (isBlank) return;
    await onSave(changedFields(memory, draft));
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void mutate();
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
      {error && <ErrorMessage error={error} />}
      <div className="actions">
        <Button className="quiet" onClick={onClose}>{cancel}</Button>
        <Button type="submit" className="primary" aria-disabled={isPending || isBlank}>
          {isPending ? texts.saving : saveLabel}
        </Button>
      </div>
    </form>
  );
}

/** Sent fields count as the user's own, so unchanged ones are omitted. */
function changedFields(memory: Memory, draft: MemoryDraft): MemoryUpdate {
  const content = draft.content.trim();
  const category = draft.category.trim() || null;
  return {
    ...(content !== memory.content && { content }),
    ...(draft.memory_type !== memory.memory_type && { memory_type: draft.memory_type }),
    ...(category !== memory.category && { category }),
  };
}

import { useState, type FormEvent } from "react";
import type { Memory } from "../../api/types";
import type { Memories } from "../../hooks/useMemories";
import { useSaving } from "../../hooks/useSaving";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { MemoryFields, type MemoryDraft } from "./MemoryFields";
import { texts as memoryTexts } from "./texts";

interface Props {
  categories: readonly string[];
  createMemory: Memories["createMemory"];
  onCreated: (memory: Memory) => void;
  onClose: () => void;
}

export function NewMemory({ categories, createMemory, onCreated, onClose }: Props) {
  const texts = useTexts(memoryTexts);
  const { cancel, create } = useTexts(common);
  const [draft, setDraft] = useState<MemoryDraft>({
    content: "",
    memory_type: "fact",
    category: "",
  });
  const [isPinned, setPinned] = useState(false);

  const isBlank = draft.content.trim() === "";
  const { isSaving, error, save } = useSaving(async () => {
    if (isBlank) return;
    onCreated(await createMemory({ ...draft, is_pinned: isPinned }));
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };

  return (
    <Dialog title={texts.newMemory} onClose={onClose}>
      <form className="memory-form" onSubmit={submit}>
        <MemoryFields draft={draft} categories={categories} onChange={setDraft} />
        <label className="choice">
          <input
            type="checkbox"
            checked={isPinned}
            onChange={(event) => setPinned(event.target.checked)}
          />
          {texts.pinIt}
        </label>
        {error && <ErrorNote error={error} />}
        <div className="actions">
          <button type="button" className="button quiet" onClick={onClose}>
            {cancel}
          </button>
          <button type="submit" className="button primary" aria-disabled={isSaving || isBlank}>
            {isSaving ? texts.saving : create}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

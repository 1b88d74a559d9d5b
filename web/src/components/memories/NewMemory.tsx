import { useState, type FormEvent } from "react";
import type { Memory } from "../../api/types";
import type { Memories } from "../../hooks/useMemories";
import { useMutation } from "../../hooks/useMutation";
import { useCommonTexts } from "../../i18n/common";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ErrorMessage } from "../ui/ErrorMessage";
import { MemoryFields, type MemoryDraft } from "./MemoryFields";
import { useMemoryTexts } from "./texts";

interface Props {
  categories: readonly string[];
  createMemory: Memories["createMemory"];
  onCreated: (memory: Memory) => void;
  onClose: () => void;
}

export function NewMemory({ categories, createMemory, onCreated, onClose }: Props) {
  const texts = useMemoryTexts();
  const { cancel, create } = useCommonTexts();
  const [draft, setDraft] = useState<MemoryDraft>({
    content: "",
    memory_type: "fact",
    category: "",
  });
  const [isPinned, setPinned] = useState(false);

  const isBlank = draft.content.trim() === "";
  const { isPending, error, mutate } = useMutation(async () => {
    if (isBlank) return;
    onCreated(await createMemory({ ...draft, is_pinned: isPinned }));
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void mutate();
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
        {error && <ErrorMessage error={error} />}
        <div className="actions">
          <Button className="quiet" onClick={onClose}>{cancel}</Button>
          <Button type="submit" className="primary" aria-disabled={isPending || isBlank}>
            {isPending ? texts.saving : create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

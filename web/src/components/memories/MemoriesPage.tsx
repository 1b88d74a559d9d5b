import { useCallback, useMemo, useState } from "react";
import type { Memory, MemoryUpdate } from "../../api/types";
import { useDebounced } from "../../hooks/useDebounced";
import { useMemories } from "../../hooks/useMemories";
import { useToasts } from "../../hooks/useToasts";
import {
  everything,
  filterOf,
  withChanges,
  type MemoryChoice,
} from "../../model/memoryFilter";
import { useTexts } from "../../texts/texts";
import { PageFrame } from "../frame/PageFrame";
import { Icon } from "../ui/Icon";
import { ExtractDialog } from "./ExtractDialog";
import { HistoryDialog } from "./HistoryDialog";
import { MemoryFilters } from "./MemoryFilters";
import { MemoryList } from "./MemoryList";
import { NewMemory } from "./NewMemory";
import { NoMemories } from "./NoMemories";
import { texts as memoryTexts } from "./texts";
import { useCategories } from "./useCategories";
import { useLeavingMemories, useMemoryDeletion } from "./useMemoryDeletion";

type Open = { what: "new" } | { what: "extract" } | { what: "history"; memory: Memory } | null;

const none: ReadonlySet<string> = new Set();

export default function MemoriesPage() {
  const texts = useTexts(memoryTexts);
  const tell = useToasts();
  const [choice, setChoice] = useState<MemoryChoice>(everything);
  const [open, setOpen] = useState<Open>(null);
  const [highlighted, setHighlighted] = useState(none);
  const [changed, setChanged] = useState<ReadonlyMap<string, Memory>>(new Map());

  const q = useDebounced(choice.q.trim(), 200);
  const { type, category, isPinnedOnly, shelf } = choice;
  const filter = useMemo(
    () => filterOf({ q, type, category, isPinnedOnly, shelf }),
    [q, type, category, isPinnedOnly, shelf],
  );
  const memories = useMemories(filter);
  const leaving = useLeavingMemories();
  const remove = useMemoryDeletion();
  const shown = useMemo(
    () => withChanges(memories.listing.items, changed, filter).filter(({ id }) => !leaving.has(id)),
    [memories.listing, changed, filter, leaving],
  );
  const categories = useCategories(memories.listing.items);

  const close = useCallback(() => setOpen(null), []);
  const { updateMemory } = memories;
  const keep = useCallback((memory: Memory) => {
    setChanged((old) => new Map(old).set(memory.id, memory));
  }, []);
  const update = useCallback(
    async (id: string, changes: MemoryUpdate) => keep(await updateMemory(id, changes)),
    [keep, updateMemory],
  );
  const choose = (changes: Partial<MemoryChoice>) => {
    setChoice((old) => ({ ...old, ...changes }));
    setHighlighted(none);
  };
  const show = (ids: ReadonlySet<string>) => {
    setOpen(null);
    setChoice(everything);
    setHighlighted(ids);
  };

  return (
    <PageFrame
      title={texts.title}
      lead={texts.lead}
      actions={
        <>
          <button
            type="button"
            className="button memory-action"
            onClick={() => setOpen({ what: "extract" })}
          >
            <Icon name="brain" />
            <span>{texts.extract}</span>
          </button>
          <button
            type="button"
            className="button primary memory-action"
            onClick={() => setOpen({ what: "new" })}
          >
            <Icon name="plus" />
            <span>{texts.newMemory}</span>
          </button>
        </>
      }
    >
      <MemoryFilters choice={choice} categories={categories} onChange={choose} />
      <MemoryList
        memories={memories}
        shown={shown}
        highlighted={highlighted}
        actions={{
          categories,
          onUpdate: update,
          onDelete: remove,
          onHistory: (memory) => setOpen({ what: "history", memory }),
          onCategory: (name) => choose({ category: name }),
        }}
        empty={
          <NoMemories
            choice={choice}
            onClear={() => choose({ ...everything, shelf })}
            onCreate={() => setOpen({ what: "new" })}
            onExtract={() => setOpen({ what: "extract" })}
          />
        }
      />
      {open?.what === "new" && (
        <NewMemory
          categories={categories}
          createMemory={memories.createMemory}
          onCreated={(memory) => {
            show(new Set([memory.id]));
            tell({ text: texts.created });
          }}
          onClose={close}
        />
      )}
      {open?.what === "history" && (
        <HistoryDialog
          memory={open.memory}
          undoMemory={memories.undoMemory}
          onUndone={keep}
          onClose={close}
        />
      )}
      {open?.what === "extract" && (
        <ExtractDialog extractMemories={memories.extractMemories} onShow={show} onClose={close} />
      )}
    </PageFrame>
  );
}

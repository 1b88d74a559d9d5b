import { useCallback, useMemo, useState } from "react";
import type { Memory, MemoryUpdate } from "../../api/types";
import { useDebounce } from "../../hooks/useDebounce";
import { useMemories } from "../../hooks/useMemories";
import { useToast } from "../../hooks/useToast";
import {
  defaultFilters,
  toMemoryFilter,
  applyLocalChanges,
  type FilterValues,
} from "../../model/memoryFilter";
import { PageLayout } from "../layout/PageLayout";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { ExtractDialog } from "./ExtractDialog";
import { HistoryDialog } from "./HistoryDialog";
import { MemoryFilters } from "./MemoryFilters";
import { MemoryList } from "./MemoryList";
import { NewMemory } from "./NewMemory";
import { NoMemories } from "./NoMemories";
import { useMemoryTexts } from "./texts";
import { useCategories } from "./useCategories";
import { usePendingMemoryDeletions, useDeleteMemory } from "./useDeleteMemory";

type OpenDialog = { kind: "new" | "extract" } | { kind: "history"; memory: Memory } | null;

const NONE: ReadonlySet<string> = new Set();

export default function MemoriesPage() {
  const texts = useMemoryTexts();
  const showToast = useToast();
  const [filters, setFilters] = useState<FilterValues>(defaultFilters);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [highlighted, setHighlighted] = useState(NONE);
  const [localChanges, setLocalChanges] = useState<ReadonlyMap<string, Memory>>(new Map());

  const q = useDebounce(filters.q.trim(), 200);
  const { type, category, pinnedOnly, state } = filters;
  const filter = useMemo(
    () => toMemoryFilter({ q, type, category, pinnedOnly, state }),
    [q, type, category, pinnedOnly, state],
  );
  const memories = useMemories(filter);
  const pendingDeletions = usePendingMemoryDeletions();
  const remove = useDeleteMemory();
  const shown = useMemo(
    () => applyLocalChanges(memories.listing.items, localChanges, filter).filter(({ id }) => !pendingDeletions.has(id)),
    [memories.listing, localChanges, filter, pendingDeletions],
  );
  const categories = useCategories(memories.listing.items);

  const close = useCallback(() => setDialog(null), []);
  const { updateMemory } = memories;
  const applyChange = useCallback((memory: Memory) => {
    setLocalChanges((old) => new Map(old).set(memory.id, memory));
  }, []);
  const update = useCallback(
    async (id: string, changes: MemoryUpdate) => applyChange(await updateMemory(id, changes)),
    [applyChange, updateMemory],
  );
  const changeFilters = (changes: Partial<FilterValues>) => {
    setFilters((old) => ({ ...old, ...changes }));
    setHighlighted(NONE);
  };
  const show = (ids: ReadonlySet<string>) => {
    setDialog(null);
    setFilters(defaultFilters);
    setHighlighted(ids);
  };

  return (
    <PageLayout
      title={texts.title}
      subtitle={texts.subtitle}
      actions={
        <>
          <Button className="memory-action" onClick={() => setDialog({ kind: "extract" })}>
            <Icon name="brain" />
            <span>{texts.extract}</span>
          </Button>
          <Button className="primary memory-action" onClick={() => setDialog({ kind: "new" })}>
            <Icon name="plus" />
            <span>{texts.newMemory}</span>
          </Button>
        </>
      }
    >
      <MemoryFilters filters={filters} categories={categories} onChange={changeFilters} />
      <MemoryList
        memories={memories}
        shown={shown}
        highlighted={highlighted}
        actions={{
          categories,
          onUpdate: update,
          onDelete: remove,
          onHistory: (memory) => setDialog({ kind: "history", memory }),
          onCategory: (name) => changeFilters({ category: name }),
        }}
        empty={
          <NoMemories
            filters={filters}
            onClear={() => changeFilters({ ...defaultFilters, state })}
            onCreate={() => setDialog({ kind: "new" })}
            onExtract={() => setDialog({ kind: "extract" })}
          />
        }
      />
      {dialog?.kind === "new" && (
        <NewMemory
          categories={categories}
          createMemory={memories.createMemory}
          onCreated={(memory) => {
            show(new Set([memory.id]));
            showToast({ text: texts.created });
          }}
          onClose={close}
        />
      )}
      {dialog?.kind === "history" && (
        <HistoryDialog
          memory={dialog.memory}
          undoMemory={memories.undoMemory}
          onUndone={applyChange}
          onClose={close}
        />
      )}
      {dialog?.kind === "extract" && (
        <ExtractDialog extractMemories={memories.extractMemories} onShow={show} onClose={close} />
      )}
    </PageLayout>
  );
}

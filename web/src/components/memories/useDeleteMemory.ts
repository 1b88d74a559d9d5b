import { useCallback, useSyncExternalStore } from "react";
import type { DeletedCounts, Memory } from "../../api/types";
import { deleteMemory } from "../../hooks/useMemories";
import { useUndoableDelete } from "../../hooks/useUndoableDelete";
import { useLocale } from "../../i18n/i18n";
import { PendingDeletions } from "../../model/pendingDeletions";
import { useMemoryTexts } from "./texts";

const pending = new PendingDeletions();

export function usePendingMemoryDeletions(): ReadonlySet<string> {
  return useSyncExternalStore(pending.subscribe, pending.getIds);
}

export function useDeleteMemory(): (memory: Memory) => void {
  const texts = useMemoryTexts();
  const { locale } = useLocale();
  const receipt = useCallback(
    ({ memories, embeddings }: DeletedCounts) => texts.receipt(memories, embeddings, locale),
    [texts, locale],
  );
  const remove = useUndoableDelete({ pending, send: deleteMemory, deleted: texts.deleted, receipt });

  return useCallback(({ id }: Memory) => remove(id), [remove]);
}

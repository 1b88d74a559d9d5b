import { useCallback, useSyncExternalStore } from "react";
import type { DeletedCounts, Memory } from "../../api/types";
import { deleteMemory } from "../../hooks/useMemories";
import { useUndoableDeletion } from "../../hooks/useUndoableDeletion";
import { Leaving } from "../../model/leaving";
import { useSpeech, useTexts } from "../../texts/texts";
import { texts as memoryTexts } from "./texts";

const leaving = new Leaving();

export function useLeavingMemories(): ReadonlySet<string> {
  return useSyncExternalStore(leaving.subscribe, leaving.getIds);
}

export function useMemoryDeletion(): (memory: Memory) => void {
  const texts = useTexts(memoryTexts);
  const { locale } = useSpeech();
  const receipt = useCallback(
    ({ memories, embeddings }: DeletedCounts) => texts.receipt(memories, embeddings, locale),
    [texts, locale],
  );
  const remove = useUndoableDeletion({
    leaving,
    send: deleteMemory,
    deleted: texts.deleted,
    receipt,
  });

  return useCallback(({ id }: Memory) => remove(id), [remove]);
}

import { useCallback, useSyncExternalStore } from "react";
import { ApiError } from "../../api/error";
import type { Memory } from "../../api/types";
import type { Memories } from "../../hooks/useMemories";
import { useToasts } from "../../hooks/useToasts";
import { Leaving } from "../../model/leaving";
import { common } from "../../texts/common";
import { useSpeech, useTexts } from "../../texts/texts";
import { texts as memoryTexts } from "./texts";

const leaving = new Leaving();

export function useLeavingMemories(): ReadonlySet<string> {
  return useSyncExternalStore(leaving.subscribe, leaving.getIds);
}

/** Takes a memory away at once, and deletes it when the time to undo that has passed. */
export function useMemoryDeletion(
  deleteMemory: Memories["deleteMemory"],
): (memory: Memory) => void {
  const texts = useTexts(memoryTexts);
  const { undo } = useTexts(common);
  const { locale } = useSpeech();
  const tell = useToasts();

  return useCallback(
    ({ id }: Memory) => {
      const send = async () => {
        try {
          const { memories, embeddings } = await deleteMemory(id);
          tell({ text: texts.receipt(memories, embeddings, locale) });
        } catch (error) {
          leaving.delete(id);
          if (!(error instanceof ApiError)) throw error;
          tell({ text: error.message, isError: true });
        }
      };
      leaving.add(id);
      tell({
        text: texts.deleted,
        action: { label: undo, onSelect: () => leaving.delete(id) },
        onGone: () => void send(),
      });
    },
    [deleteMemory, tell, texts, undo, locale],
  );
}

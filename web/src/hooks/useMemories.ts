import { useCallback, useMemo } from "react";
import { announce, type Change } from "../api/changes";
import * as api from "../api/memories";
import type { DeletedCounts, Memory, MemoryIn, MemoryUpdate } from "../api/types";
import { useChange } from "./useChange";
import { usePaged, type Paged, type Source } from "./usePaged";
import { useReturn } from "./useReturn";

export interface Memories extends Paged<Memory> {
  createMemory: (memory: MemoryIn) => Promise<Memory>;
  updateMemory: (id: string, changes: MemoryUpdate) => Promise<Memory>;
  deleteMemory: (id: string) => Promise<DeletedCounts>;
  undoMemory: (id: string) => Promise<Memory>;
  /** What reading the conversation on added or changed. */
  extractMemories: (conversationId: string, signal?: AbortSignal) => Promise<readonly Memory[]>;
}

/** What is known about the user, newest first. `filter` is memoized by the caller. */
export function useMemories(filter: api.MemoryFilter): Memories {
  const source = useMemo<Source<Memory>>(
    () => ({
      load: (cursor, signal) => api.listMemories(filter, cursor, signal),
      isFarther: (item, than) => Date.parse(item.created_at) < Date.parse(than.created_at),
    }),
    [filter],
  );
  const paged = usePaged(source);

  const { refresh, drop } = paged;
  useReturn(refresh);
  useChange(
    useCallback(
      (change: Change) => {
        if (change.kind === "deleted") drop(change.id);
        else if (change.kind === "memories") refresh();
      },
      [refresh, drop],
    ),
  );

  return { ...paged, ...actions };
}

const actions = {
  createMemory: (memory) => telling(api.createMemory(memory)),
  updateMemory: (id, changes) => telling(api.updateMemory(id, changes)),
  deleteMemory,
  undoMemory: (id) => telling(api.undoMemory(id)),
  extractMemories: async (conversationId, signal) =>
    (await telling(api.extractMemories(conversationId, signal))).items,
} satisfies Partial<Memories>;

/** For good, with its history. */
export async function deleteMemory(id: string): Promise<DeletedCounts> {
  const { deleted } = await api.deleteMemory(id);
  announce({ kind: "deleted", id });
  announce({ kind: "memories" });
  return deleted;
}

async function telling<T>(changing: Promise<T>): Promise<T> {
  const answer = await changing;
  announce({ kind: "memories" });
  return answer;
}

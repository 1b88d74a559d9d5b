import { useCallback, useMemo } from "react";
import { publishChange, type DataChange } from "../api/dataChanges";
import * as api from "../api/memories";
import type { DeletedCounts, Memory, MemoryIn, MemoryUpdate } from "../api/types";
import { useDataChange } from "./useDataChange";
import { usePagedList, type PagedList, type PageSource } from "./usePagedList";
import { useWindowFocus } from "./useWindowFocus";

export interface Memories extends PagedList<Memory> {
  createMemory: (memory: MemoryIn) => Promise<Memory>;
  updateMemory: (id: string, changes: MemoryUpdate) => Promise<Memory>;
  deleteMemory: (id: string) => Promise<DeletedCounts>;
  undoMemory: (id: string) => Promise<Memory>;
  /** Returns the new and changed memories. */
  extractMemories: (conversationId: string, signal?: AbortSignal) => Promise<readonly Memory[]>;
}

/** The user's memories, newest first. `filter` must be memoized. */
export function useMemories(filter: api.MemoryFilter): Memories {
  const source = useMemo<PageSource<Memory>>(
    () => ({
      load: (cursor, signal) => api.listMemories(filter, cursor, signal),
      isAfter: (item, other) => Date.parse(item.created_at) < Date.parse(other.created_at),
    }),
    [filter],
  );
  const list = usePagedList(source);

  const { refresh, drop } = list;
  useWindowFocus(refresh);
  useDataChange(
    useCallback(
      (change: DataChange) => {
        if (change.kind === "deleted") drop(change.id);
        else if (change.kind === "memories") refresh();
      },
      [refresh, drop],
    ),
  );

  return { ...list, ...actions };
}

const actions = {
  createMemory: (memory) => publishing(api.createMemory(memory)),
  updateMemory: (id, changes) => publishing(api.updateMemory(id, changes)),
  deleteMemory,
  undoMemory: (id) => publishing(api.undoMemory(id)),
  extractMemories: async (conversationId, signal) =>
    (await publishing(api.extractMemories(conversationId, signal))).items,
} satisfies Partial<Memories>;

export async function deleteMemory(id: string): Promise<DeletedCounts> {
  const { deleted } = await api.deleteMemory(id);
  publishChange({ kind: "deleted", id });
  publishChange({ kind: "memories" });
  return deleted;
}

async function publishing<T>(change: Promise<T>): Promise<T> {
  const result = await change;
  publishChange({ kind: "memories" });
  return result;
}

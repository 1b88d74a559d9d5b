import { pathTo, request } from "./client";
import type {
  DeletedCounts,
  Job,
  Memory,
  MemoryEvent,
  MemoryIn,
  MemoryType,
  MemoryUpdate,
  Page,
} from "./types";

export interface MemoryFilter {
  type: MemoryType | "";
  category: string;
  q: string;
  pinned: boolean | null;
  archived: boolean;
  /** Those that something newer has taken the place of, instead of those that hold. */
  superseded: boolean;
}

export function listMemories(
  filter: MemoryFilter,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Page<Memory>> {
  return request("GET", pathTo("memories"), { query: { ...filter, cursor }, signal });
}

export function getMemory(id: string, signal?: AbortSignal): Promise<Memory> {
  return request("GET", pathTo("memories", id), { signal });
}

export function createMemory(body: MemoryIn): Promise<Memory> {
  return request("POST", pathTo("memories"), { body });
}

export function updateMemory(id: string, body: MemoryUpdate): Promise<Memory> {
  return request("PATCH", pathTo("memories", id), { body });
}

export function deleteMemory(id: string): Promise<{ deleted: DeletedCounts }> {
  return request("DELETE", pathTo("memories", id));
}

export function listMemoryHistory(
  id: string,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Page<MemoryEvent>> {
  return request("GET", pathTo("memories", id, "history"), { query: { cursor }, signal });
}

export function undoMemory(id: string): Promise<Memory> {
  return request("POST", pathTo("memories", id, "undo"), { body: {} });
}

/** Reads a conversation on from where the last extraction ended; what that added or changed. */
export function extractMemories(
  conversationId: string,
  signal?: AbortSignal,
): Promise<{ items: readonly Memory[] }> {
  return request("POST", pathTo("memories", "extract"), {
    query: { wait: true },
    body: { conversation_id: conversationId },
    signal,
  });
}

/** The same in the background, as a job. */
export function queueExtraction(conversationId: string): Promise<Job> {
  return request("POST", pathTo("memories", "extract"), { body: { conversation_id: conversationId } });
}

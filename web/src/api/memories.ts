import { apiPath, request } from "./client";
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
  /** Lists the superseded memories instead of the current ones. */
  superseded: boolean;
}

export function listMemories(
  filter: MemoryFilter,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Page<Memory>> {
  return request("GET", apiPath("memories"), { query: { ...filter, cursor }, signal });
}

export function getMemory(id: string, signal?: AbortSignal): Promise<Memory> {
  return request("GET", apiPath("memories", id), { signal });
}

export function createMemory(body: MemoryIn): Promise<Memory> {
  return request("POST", apiPath("memories"), { body });
}

export function updateMemory(id: string, body: MemoryUpdate): Promise<Memory> {
  return request("PATCH", apiPath("memories", id), { body });
}

export function deleteMemory(id: string): Promise<{ deleted: DeletedCounts }> {
  return request("DELETE", apiPath("memories", id));
}

export function listMemoryHistory(
  id: string,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Page<MemoryEvent>> {
  return request("GET", apiPath("memories", id, "history"), { query: { cursor }, signal });
}

export function undoMemory(id: string): Promise<Memory> {
  return request("POST", apiPath("memories", id, "undo"), { body: {} });
}

/** Extracts memories from the messages since the last extraction; returns the new and changed ones. */
export function extractMemories(
  conversationId: string,
  signal?: AbortSignal,
): Promise<{ items: readonly Memory[] }> {
  return request("POST", apiPath("memories", "extract"), {
    query: { wait: true },
    body: { conversation_id: conversationId },
    signal,
  });
}

/** Extracts memories in a background job. */
export function queueExtraction(conversationId: string): Promise<Job> {
  return request("POST", apiPath("memories", "extract"), { body: { conversation_id: conversationId } });
}

/** The state of a memory extraction that runs through a queue of conversations. */
import type { ApiError } from "../api/error";
import type { Conversation, Memory } from "../api/types";

export interface Failure {
  conversation: Conversation;
  error: ApiError;
}

export interface Extraction {
  queue: readonly Conversation[];
  doneCount: number;
  found: readonly Memory[];
  failures: readonly Failure[];
  isFinished: boolean;
}

export function startExtraction(queue: readonly Conversation[]): Extraction {
  return { queue, doneCount: 0, found: [], failures: [], isFinished: queue.length === 0 };
}

/** Returns the conversation in progress. */
export function currentConversation({ queue, doneCount, isFinished }: Extraction): Conversation | null {
  return isFinished ? null : (queue[doneCount] ?? null);
}

/** Adds found memories. One that was found before is replaced by its newer state. */
export function addFound(run: Extraction, memories: readonly Memory[]): Extraction {
  const newIds = new Set(memories.map(({ id }) => id));
  const kept = run.found.filter(({ id }) => !newIds.has(id));
  return next({ ...run, found: [...kept, ...memories] });
}

export function addFailure(run: Extraction, error: ApiError): Extraction {
  const conversation = currentConversation(run);
  if (conversation === null) return run;
  return next({ ...run, failures: [...run.failures, { conversation, error }] });
}

export function cancelExtraction(run: Extraction): Extraction {
  return { ...run, isFinished: true };
}

function next(run: Extraction): Extraction {
  const doneCount = run.doneCount + 1;
  return { ...run, doneCount, isFinished: doneCount >= run.queue.length };
}

/** Whether the extraction changed an existing memory. */
export function isChanged({ created_at, updated_at }: Memory): boolean {
  return created_at !== updated_at;
}

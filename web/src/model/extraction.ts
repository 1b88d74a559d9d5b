/**
 * Reading several conversations for memories, one after the other.
 *
 * A run goes through its queue; each conversation ends as read, with what that added or changed, or
 * as failed. A run that is cancelled keeps what it has read so far.
 */
import type { ApiError } from "../api/error";
import type { Conversation, Memory } from "../api/types";

export interface Failure {
  conversation: Conversation;
  error: ApiError;
}

export interface Extraction {
  queue: readonly Conversation[];
  read: number;
  found: readonly Memory[];
  failures: readonly Failure[];
  isOver: boolean;
}

export function begin(queue: readonly Conversation[]): Extraction {
  return { queue, read: 0, found: [], failures: [], isOver: queue.length === 0 };
}

/** The one that is being read, or none. */
export function current({ queue, read, isOver }: Extraction): Conversation | null {
  return isOver ? null : (queue[read] ?? null);
}

/** What two conversations both changed is shown once, as the later one left it. */
export function withFound(run: Extraction, memories: readonly Memory[]): Extraction {
  const fresh = new Set(memories.map(({ id }) => id));
  const kept = run.found.filter(({ id }) => !fresh.has(id));
  return next({ ...run, found: [...kept, ...memories] });
}

export function withFailure(run: Extraction, error: ApiError): Extraction {
  const conversation = current(run);
  if (conversation === null) return run;
  return next({ ...run, failures: [...run.failures, { conversation, error }] });
}

export function cancelled(run: Extraction): Extraction {
  return { ...run, isOver: true };
}

function next(run: Extraction): Extraction {
  const read = run.read + 1;
  return { ...run, read, isOver: read >= run.queue.length };
}

/** Changed rather than added: it was there before the reading touched it. */
export function isChanged({ created_at, updated_at }: Memory): boolean {
  return created_at !== updated_at;
}

/** Events in the history of a memory. */
import type { MemoryEvent } from "../api/types";

const SHOWN_FIELDS = [
  "content",
  "memory_type",
  "category",
  "is_pinned",
  "is_archived",
  "confidence",
] as const;

type ShownField = (typeof SHOWN_FIELDS)[number];

export interface FieldChange {
  field: ShownField;
  /** Undefined for the first event. */
  before: unknown;
  after: unknown;
}

/** Returns the changes of the fields that the user knows. */
export function fieldChanges({ before, after }: MemoryEvent): FieldChange[] {
  return SHOWN_FIELDS
    .filter((field) => field in after)
    .filter((field) => before !== null || isNotable(field, after[field]))
    .map((field) => ({ field, before: before?.[field], after: after[field] }));
}

/** The first event has every field; only values that are not defaults are shown. */
function isNotable(field: ShownField, value: unknown): boolean {
  if (field === "confidence") return value !== 1;
  return value !== null && value !== false;
}

/** Returns the event that "undo" would revert. Events are sorted newest first. */
export function findUndoable(events: readonly MemoryEvent[]): MemoryEvent | null {
  const canUndo = ({ action, undone_at }: MemoryEvent) =>
    undone_at === null && (action === "updated" || action === "superseded");
  return events.find(canUndo) ?? null;
}

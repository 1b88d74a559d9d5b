/** What an event in the history of a memory has to say to a reader. */
import type { MemoryEvent } from "../api/types";

const told = [
  "content",
  "memory_type",
  "category",
  "is_pinned",
  "is_archived",
  "confidence",
] as const;

type ToldField = (typeof told)[number];

export interface FieldChange {
  field: ToldField;
  /** None at the beginning. */
  before: unknown;
  after: unknown;
}

/** The fields that it changed, of those that a reader knows. */
export function changesOf({ before, after }: MemoryEvent): FieldChange[] {
  return told
    .filter((field) => field in after)
    .filter((field) => before !== null || isWorthTelling(field, after[field]))
    .map((field) => ({ field, before: before?.[field], after: after[field] }));
}

/** At its beginning a memory has every field; only what somebody decided is news. */
function isWorthTelling(field: ToldField, value: unknown): boolean {
  if (field === "confidence") return value !== 1;
  return value !== null && value !== false;
}

/** What "undo" would take back: the last change that still stands. Events come newest first. */
export function undoable(events: readonly MemoryEvent[]): MemoryEvent | null {
  const canBe = ({ action, undone_at }: MemoryEvent) =>
    undone_at === null && (action === "updated" || action === "superseded");
  return events.find(canBe) ?? null;
}

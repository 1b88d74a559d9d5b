import { describe, expect, it } from "vitest";
import type { MemoryEvent } from "../api/types";
import { fieldChanges, findUndoable } from "./memoryEvent";

const event = (fields: Partial<MemoryEvent>) =>
  ({ action: "updated", before: {}, after: {}, undone_at: null, ...fields }) as MemoryEvent;

describe("fieldChanges", () => {
  it("returns old and new values of the visible fields", () => {
    const before = { content: "Lives in Lisbon", subject: "user", category: null };
    const after = { content: "Lives in Porto", subject: null, category: "home" };
    expect(fieldChanges(event({ before, after }))).toEqual([
      { field: "content", before: "Lives in Lisbon", after: "Lives in Porto" },
      { field: "category", before: null, after: "home" },
    ]);
  });

  it("omits default values of the first event", () => {
    const after = {
      content: "Takes tea",
      memory_type: "preference",
      category: null,
      is_pinned: false,
      is_archived: false,
      confidence: 1,
    };
    const changes = fieldChanges(event({ action: "created", before: null, after }));
    expect(changes.map(({ field }) => field)).toEqual(["content", "memory_type"]);
  });

  it("includes a removed pin", () => {
    const unpinned = event({ before: { is_pinned: true }, after: { is_pinned: false } });
    expect(fieldChanges(unpinned)).toEqual([{ field: "is_pinned", before: true, after: false }]);
  });
});

describe("findUndoable", () => {
  it("returns the last change that was not undone", () => {
    const undone = event({ id: "3", undone_at: "2026-05-20T10:00:00Z" });
    const latest = event({ id: "2" });
    const first = event({ id: "1", action: "created" });
    const last = event({ id: "4", action: "undone" });
    expect(findUndoable([last, undone, latest, first])).toBe(latest);
  });

  it("returns null if there was no change", () => {
    expect(findUndoable([event({ action: "confirmed" }), event({ action: "created" })])).toBeNull();
  });
});

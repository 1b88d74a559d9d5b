import { describe, expect, it } from "vitest";
import type { MemoryEvent } from "../api/types";
import { changesOf, undoable } from "./memoryEvent";

const event = (fields: Partial<MemoryEvent>) =>
  ({ action: "updated", before: {}, after: {}, undone_at: null, ...fields }) as MemoryEvent;

describe("changesOf", () => {
  it("tells before and after, and nothing of the inner workings", () => {
    const before = { content: "Lives in Lisbon", subject: "user", category: null };
    const after = { content: "Lives in Porto", subject: null, category: "home" };
    expect(changesOf(event({ before, after }))).toEqual([
      { field: "content", before: "Lives in Lisbon", after: "Lives in Porto" },
      { field: "category", before: null, after: "home" },
    ]);
  });

  it("begins with what was decided", () => {
    const after = {
      content: "Takes tea",
      memory_type: "preference",
      category: null,
      is_pinned: false,
      is_archived: false,
      confidence: 1,
    };
    const changes = changesOf(event({ action: "created", before: null, after }));
    expect(changes.map(({ field }) => field)).toEqual(["content", "memory_type"]);
  });

  it("tells what was unpinned", () => {
    const unpinned = event({ before: { is_pinned: true }, after: { is_pinned: false } });
    expect(changesOf(unpinned)).toEqual([{ field: "is_pinned", before: true, after: false }]);
  });
});

describe("undoable", () => {
  it("is the last change that stands", () => {
    const undone = event({ id: "3", undone_at: "2026-05-20T10:00:00Z" });
    const standing = event({ id: "2" });
    const first = event({ id: "1", action: "created" });
    const last = event({ id: "4", action: "undone" });
    expect(undoable([last, undone, standing, first])).toBe(standing);
  });

  it("is none where there was no change", () => {
    expect(undoable([event({ action: "confirmed" }), event({ action: "created" })])).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import type { Memory } from "../api/types";
import { categoriesOf, everything, filterOf, isNarrowed, withChanges } from "./memoryFilter";

const memory = (id: string, fields: Partial<Memory> = {}) =>
  ({
    id,
    memory_type: "fact",
    category: null,
    is_pinned: false,
    is_archived: false,
    valid_to: null,
    updated_at: "2026-05-20T10:00:00Z",
    ...fields,
  }) as Memory;
const later = "2026-05-20T11:00:00Z";
const changes = (...changed: Memory[]) => new Map(changed.map((one) => [one.id, one]));
const ids = (memories: readonly Memory[]) => memories.map(({ id }) => id);

describe("filterOf", () => {
  it("asks for one shelf at a time", () => {
    expect(filterOf(everything)).toMatchObject({ archived: false, superseded: false });
    expect(filterOf({ ...everything, shelf: "archived" })).toMatchObject({ archived: true });
    expect(filterOf({ ...everything, shelf: "superseded" })).toMatchObject({ superseded: true });
  });

  it("does not ask for what is not pinned when all will do", () => {
    expect(filterOf(everything).pinned).toBeNull();
    expect(filterOf({ ...everything, isPinnedOnly: true }).pinned).toBe(true);
  });
});

it("tells a shelf from a choice within it", () => {
  expect(isNarrowed({ ...everything, shelf: "archived" })).toBe(false);
  expect(isNarrowed({ ...everything, category: "food" })).toBe(true);
});

describe("withChanges", () => {
  const current = filterOf(everything);

  it("shows what was changed here, until the list is newer", () => {
    const pinned = memory("a", { is_pinned: true, updated_at: later });
    expect(withChanges([memory("a")], changes(pinned), current)).toEqual([pinned]);
    const listed = memory("a", { updated_at: "2026-05-20T12:00:00Z" });
    expect(withChanges([listed], changes(pinned), current)).toEqual([listed]);
  });

  it("leaves out what has left the list", () => {
    const archived = memory("a", { is_archived: true, updated_at: later });
    expect(ids(withChanges([memory("a"), memory("b")], changes(archived), current))).toEqual(["b"]);
    const unpinned = memory("a", { updated_at: later });
    const pinnedOnly = filterOf({ ...everything, isPinnedOnly: true });
    const listed = [memory("a", { is_pinned: true })];
    expect(withChanges(listed, changes(unpinned), pinnedOnly)).toEqual([]);
  });

  it("matches a category to the letter", () => {
    const food = filterOf({ ...everything, category: "food" });
    const listed = [memory("a", { category: "food" }), memory("b", { category: "Food" })];
    expect(ids(withChanges(listed, changes(), food))).toEqual(["a"]);
  });
});

it("names each category once, in order", () => {
  const of = (category: string | null) => memory("x", { category });
  expect(categoriesOf([of("work"), of("Élan"), of("food"), of(null), of("work")], "en")).toEqual([
    "Élan",
    "food",
    "work",
  ]);
});

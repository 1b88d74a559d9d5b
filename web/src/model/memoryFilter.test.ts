import { describe, expect, it } from "vitest";
import type { Memory } from "../api/types";
import { listCategories, defaultFilters, toMemoryFilter, hasActiveFilters, applyLocalChanges } from "./memoryFilter";

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
const changes = (...changed: Memory[]) => new Map(changed.map((memory) => [memory.id, memory]));
const ids = (memories: readonly Memory[]) => memories.map(({ id }) => id);

describe("toMemoryFilter", () => {
  it("requests one state at a time", () => {
    expect(toMemoryFilter(defaultFilters)).toMatchObject({ archived: false, superseded: false });
    expect(toMemoryFilter({ ...defaultFilters, state: "archived" })).toMatchObject({ archived: true });
    expect(toMemoryFilter({ ...defaultFilters, state: "superseded" })).toMatchObject({ superseded: true });
  });

  it("filters by pin only if requested", () => {
    expect(toMemoryFilter(defaultFilters).pinned).toBeNull();
    expect(toMemoryFilter({ ...defaultFilters, pinnedOnly: true }).pinned).toBe(true);
  });
});

it("does not count the state as an active filter", () => {
  expect(hasActiveFilters({ ...defaultFilters, state: "archived" })).toBe(false);
  expect(hasActiveFilters({ ...defaultFilters, category: "food" })).toBe(true);
});

describe("applyLocalChanges", () => {
  const current = toMemoryFilter(defaultFilters);

  it("shows local changes until the list is newer", () => {
    const pinned = memory("a", { is_pinned: true, updated_at: later });
    expect(applyLocalChanges([memory("a")], changes(pinned), current)).toEqual([pinned]);
    const listed = memory("a", { updated_at: "2026-05-20T12:00:00Z" });
    expect(applyLocalChanges([listed], changes(pinned), current)).toEqual([listed]);
  });

  it("leaves out memories that no longer match", () => {
    const archived = memory("a", { is_archived: true, updated_at: later });
    expect(ids(applyLocalChanges([memory("a"), memory("b")], changes(archived), current))).toEqual(["b"]);
    const unpinned = memory("a", { updated_at: later });
    const pinnedOnly = toMemoryFilter({ ...defaultFilters, pinnedOnly: true });
    const listed = [memory("a", { is_pinned: true })];
    expect(applyLocalChanges(listed, changes(unpinned), pinnedOnly)).toEqual([]);
  });

  it("matches categories exactly", () => {
    const food = toMemoryFilter({ ...defaultFilters, category: "food" });
    const listed = [memory("a", { category: "food" }), memory("b", { category: "Food" })];
    expect(ids(applyLocalChanges(listed, changes(), food))).toEqual(["a"]);
  });
});

it("lists each category once, sorted", () => {
  const withCategory = (category: string | null) => memory("x", { category });
  expect(listCategories(["work", "Élan", "food", null, "work"].map(withCategory), "en")).toEqual([
    "Élan",
    "food",
    "work",
  ]);
});

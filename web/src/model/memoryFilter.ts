/** The filters of the memories page. */
import type { MemoryFilter } from "../api/memories";
import type { Memory, MemoryType } from "../api/types";

export const memoryTypes = ["fact", "preference", "entity", "project", "decision"] as const;

export const memoryStates = ["current", "archived", "superseded"] as const;

export type MemoryState = (typeof memoryStates)[number];

export interface FilterValues {
  q: string;
  type: MemoryType | "";
  category: string;
  pinnedOnly: boolean;
  state: MemoryState;
}

export const defaultFilters: FilterValues = {
  q: "",
  type: "",
  category: "",
  pinnedOnly: false,
  state: "current",
};

/** Whether anything but the state is filtered. */
export function hasActiveFilters({ q, type, category, pinnedOnly }: FilterValues): boolean {
  return q !== "" || type !== "" || category !== "" || pinnedOnly;
}

export function toMemoryFilter({ q, type, category, pinnedOnly, state }: FilterValues): MemoryFilter {
  return {
    q,
    type,
    category,
    pinned: pinnedOnly ? true : null,
    archived: state === "archived",
    superseded: state === "superseded",
  };
}

/**
 * Returns the listed memories with the changes made on this page, without those that no longer
 * match the filter. Needed because a refresh only reloads the first page.
 */
export function applyLocalChanges(
  listed: readonly Memory[],
  changed: ReadonlyMap<string, Memory>,
  filter: MemoryFilter,
): readonly Memory[] {
  return listed
    .map((memory) => newer(memory, changed.get(memory.id)))
    .filter((memory) => matches(memory, filter));
}

function newer(memory: Memory, other: Memory | undefined): Memory {
  if (other === undefined) return memory;
  return Date.parse(other.updated_at) > Date.parse(memory.updated_at) ? other : memory;
}

/** Ignores the search text, which only the server can match. */
function matches(memory: Memory, { type, category, pinned, archived, superseded }: MemoryFilter) {
  return (
    memory.is_archived === archived &&
    (memory.valid_to !== null) === superseded &&
    (type === "" || memory.memory_type === type) &&
    (category === "" || memory.category === category) &&
    (pinned === null || memory.is_pinned === pinned)
  );
}

export function listCategories(memories: Iterable<Memory>, locale: string): string[] {
  const names = new Set([...memories].flatMap(({ category }) => category ?? []));
  return [...names].sort((a, b) => a.localeCompare(b, locale));
}

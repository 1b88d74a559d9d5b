/** Which memories the page shows: what a reader chose, and what that asks of the server. */
import type { MemoryFilter } from "../api/memories";
import type { Memory, MemoryType } from "../api/types";

export const memoryTypes = ["fact", "preference", "entity", "project", "decision"] as const;

/** A memory holds, or was put away, or something newer has taken its place. */
export const shelves = ["current", "archived", "superseded"] as const;

export type Shelf = (typeof shelves)[number];

export interface MemoryChoice {
  q: string;
  type: MemoryType | "";
  category: string;
  isPinnedOnly: boolean;
  shelf: Shelf;
}

export const everything: MemoryChoice = {
  q: "",
  type: "",
  category: "",
  isPinnedOnly: false,
  shelf: "current",
};

/** Whether a choice leaves out something of its shelf. */
export function isNarrowed({ q, type, category, isPinnedOnly }: MemoryChoice): boolean {
  return q !== "" || type !== "" || category !== "" || isPinnedOnly;
}

export function filterOf({ q, type, category, isPinnedOnly, shelf }: MemoryChoice): MemoryFilter {
  return {
    q,
    type,
    category,
    pinned: isPinnedOnly ? true : null,
    archived: shelf === "archived",
    superseded: shelf === "superseded",
  };
}

/**
 * What was listed, with what this page has changed since and without what has thereby left the
 * list. A renewed first page tells nothing of the pages behind it.
 */
export function withChanges(
  listed: readonly Memory[],
  changed: ReadonlyMap<string, Memory>,
  filter: MemoryFilter,
): readonly Memory[] {
  return listed
    .map((memory) => newer(memory, changed.get(memory.id)))
    .filter((memory) => fits(memory, filter));
}

function newer(memory: Memory, other: Memory | undefined): Memory {
  if (other === undefined) return memory;
  return Date.parse(other.updated_at) > Date.parse(memory.updated_at) ? other : memory;
}

/** By all but the search text, which only the server knows how to read. */
function fits(memory: Memory, { type, category, pinned, archived, superseded }: MemoryFilter) {
  return (
    memory.is_archived === archived &&
    (memory.valid_to !== null) === superseded &&
    (type === "" || memory.memory_type === type) &&
    (category === "" || memory.category === category) &&
    (pinned === null || memory.is_pinned === pinned)
  );
}

/** In the order of the alphabet, each once. */
export function categoriesOf(memories: Iterable<Memory>, locale: string): string[] {
  const names = new Set([...memories].flatMap(({ category }) => category ?? []));
  return [...names].sort((one, other) => one.localeCompare(other, locale));
}

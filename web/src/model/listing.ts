/** The loaded part of a paged list, and the cursor of the next page. */
import type { Page } from "../api/types";

export interface Listing<T> {
  items: readonly T[];
  cursor: string | null;
}

export interface Identified {
  id: string;
}

export function emptyListing<T>(): Listing<T> {
  return { items: [], cursor: null };
}

export function appendPage<T extends Identified>(listing: Listing<T>, page: Page<T>): Listing<T> {
  const known = new Set(listing.items.map((item) => item.id));
  const added = page.items.filter((item) => !known.has(item.id));
  return { items: [...listing.items, ...added], cursor: page.next_cursor };
}

/**
 * Merges a reloaded first page: new items appear and deleted ones disappear, and the later pages
 * stay loaded. If the page does not overlap the list, it replaces it, so there is never a gap.
 */
export function mergeFirstPage<T extends Identified>(
  listing: Listing<T>,
  page: Page<T>,
  isAfter: (item: T, other: T) => boolean,
): Listing<T> {
  const fresh = new Set(page.items.map((item) => item.id));
  const last = page.items.at(-1);
  const overlaps = listing.items.some((item) => fresh.has(item.id));
  if (last === undefined || page.next_cursor === null || !overlaps) {
    return { items: page.items, cursor: page.next_cursor };
  }
  const later = listing.items.filter((item) => !fresh.has(item.id) && isAfter(item, last));
  return later.length === 0
    ? { items: page.items, cursor: page.next_cursor }
    : { items: [...page.items, ...later], cursor: listing.cursor };
}

export function removeItem<T extends Identified>(listing: Listing<T>, id: string): Listing<T> {
  const items = listing.items.filter((item) => item.id !== id);
  return items.length === listing.items.length ? listing : { ...listing, items };
}

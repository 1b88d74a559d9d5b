/**
 * A listing is the part of a paged list that has been fetched, and the cursor of what has not.
 *
 * `extend` adds the next page at the far end. `renew` lays a fresh first page over the near end,
 * so that what is new shows up and what was deleted goes, without dropping the far pages that a
 * reader has opened. Both need to know only how far an item is from the near end: its rank.
 */
import type { Page } from "../api/types";

export interface Listing<T> {
  /** Near end first. */
  items: readonly T[];
  cursor: string | null;
}

export interface Identified {
  id: string;
}

export function emptyListing<T>(): Listing<T> {
  return { items: [], cursor: null };
}

export function extend<T extends Identified>(listing: Listing<T>, page: Page<T>): Listing<T> {
  const known = new Set(listing.items.map((item) => item.id));
  const added = page.items.filter((item) => !known.has(item.id));
  return { items: [...listing.items, ...added], cursor: page.next_cursor };
}

export function renew<T extends Identified>(
  listing: Listing<T>,
  page: Page<T>,
  isFarther: (item: T, than: T) => boolean,
): Listing<T> {
  const fresh = new Set(page.items.map((item) => item.id));
  const edge = page.items.at(-1);
  const touches = listing.items.some((item) => fresh.has(item.id));
  if (edge === undefined || page.next_cursor === null || !touches) {
    return { items: page.items, cursor: page.next_cursor };
  }
  const far = listing.items.filter((item) => !fresh.has(item.id) && isFarther(item, edge));
  return far.length === 0
    ? { items: page.items, cursor: page.next_cursor }
    : { items: [...page.items, ...far], cursor: listing.cursor };
}

/** The same list, less one item. */
export function without<T extends Identified>(listing: Listing<T>, id: string): Listing<T> {
  const items = listing.items.filter((item) => item.id !== id);
  return items.length === listing.items.length ? listing : { ...listing, items };
}

import { describe, expect, it } from "vitest";
import { emptyListing, appendPage, mergeFirstPage, removeItem } from "./listing";

interface Item {
  id: string;
  seq: number;
  text?: string;
}

const items = (...seqs: number[]): Item[] => seqs.map((seq) => ({ id: `m${seq}`, seq }));
const page = (seqs: number[], next_cursor: string | null) => ({ items: items(...seqs), next_cursor });
const isOlder = (item: Item, other: Item) => item.seq < other.seq;
const seqs = (listing: { items: readonly Item[] }) => listing.items.map((item) => item.seq);

describe("appendPage", () => {
  it("follows the cursor to the last page", () => {
    const first = appendPage(emptyListing<Item>(), page([6, 5, 4], "c4"));
    expect(first.cursor).toBe("c4");
    const all = appendPage(first, page([3, 2, 1], null));
    expect(seqs(all)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(all.cursor).toBeNull();
  });

  it("shows an item once when two pages overlap", () => {
    const first = appendPage(emptyListing<Item>(), page([6, 5, 4], "c4"));
    expect(seqs(appendPage(first, page([4, 3], null)))).toEqual([6, 5, 4, 3]);
  });
});

describe("mergeFirstPage", () => {
  const opened = { items: items(6, 5, 4, 3, 2), cursor: "c2" };

  it("puts new items first and keeps the loaded pages and their cursor", () => {
    const renewed = mergeFirstPage(opened, page([8, 7, 6, 5], "c5"), isOlder);
    expect(seqs(renewed)).toEqual([8, 7, 6, 5, 4, 3, 2]);
    expect(renewed.cursor).toBe("c2");
  });

  it("drops items deleted from the first page", () => {
    expect(seqs(mergeFirstPage(opened, page([6, 4, 3], "c3"), isOlder))).toEqual([6, 4, 3, 2]);
  });

  it("takes the newer copy of an item", () => {
    const fresh = { items: [{ id: "m6", seq: 6, text: "done" }, ...items(5)], next_cursor: "c5" };
    expect(mergeFirstPage(opened, fresh, isOlder).items[0]?.text).toBe("done");
  });

  it("starts over if the pages do not overlap", () => {
    expect(mergeFirstPage(opened, page([60, 59], "c59"), isOlder)).toEqual({
      items: items(60, 59),
      cursor: "c59",
    });
  });

  it("replaces the list if there is only one page", () => {
    expect(seqs(mergeFirstPage(opened, page([6, 5], null), isOlder))).toEqual([6, 5]);
    expect(seqs(mergeFirstPage(opened, page([], null), isOlder))).toEqual([]);
  });
});

describe("removeItem", () => {
  it("removes one item", () => {
    const listing = appendPage(appendPage(emptyListing<Item>(), page([4, 3], "c3")), page([2, 1], "c1"));
    expect(removeItem(listing, "m2")).toEqual({ items: items(4, 3, 1), cursor: "c1" });
    expect(removeItem(listing, "m9")).toBe(listing);
  });
});

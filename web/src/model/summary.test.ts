import { diffWordsWithSpace } from "diff";
import { describe, expect, it } from "vitest";
import type { Atom } from "../api/types";
import { byKind, compareValues, isUnchanged, partsOf, sideOf } from "./summary";

const atom = (kind: Atom["kind"], value: string): Atom => ({ kind, value, seq: 1, label: "" });

describe("byKind", () => {
  it("groups, and leaves out kinds without values", () => {
    const groups = byKind([atom("name", "Anna"), atom("date", "14 May"), atom("name", "Porto")]);
    expect(groups.map(({ kind, atoms }) => [kind, atoms.length])).toEqual([
      ["date", 1],
      ["name", 2],
    ]);
  });

  it("loses no kind", () => {
    const kinds: Atom["kind"][] = [
      "date", "amount", "name", "identifier", "url", "path", "quote", "constraint", "preference",
      "decision",
    ];
    expect(byKind(kinds.map((kind) => atom(kind, kind)))).toHaveLength(kinds.length);
  });
});

describe("compareValues", () => {
  it("goes by the value alone", () => {
    const before = [atom("name", "Anna"), atom("date", "14 May")];
    const after = [atom("quote", "Anna"), atom("amount", "12 EUR")];
    expect(compareValues(before, after)).toEqual({ added: ["12 EUR"], removed: ["14 May"] });
  });
});

describe("a word diff", () => {
  const before = "They took the train to Porto.";
  const after = "They took the bus to Porto at noon.";
  const parts = partsOf(diffWordsWithSpace(before, after));
  const join = (side: "before" | "after") =>
    sideOf(parts, side).map(({ text }) => text).join("");

  it("has both texts in it", () => {
    expect(join("before")).toBe(before);
    expect(join("after")).toBe(after);
  });

  it("marks words, not letters", () => {
    expect(parts).toContainEqual({ kind: "removed", text: "train" });
    expect(parts).toContainEqual({ kind: "added", text: "bus" });
  });

  it("marks a phrase as one", () => {
    expect(partsOf(diffWordsWithSpace("a fast red car", "a slow blue car"))).toEqual([
      { kind: "same", text: "a " },
      { kind: "removed", text: "fast red" },
      { kind: "added", text: "slow blue" },
      { kind: "same", text: " car" },
    ]);
  });

  it("knows when nothing has changed", () => {
    expect(isUnchanged(parts)).toBe(false);
    expect(isUnchanged(partsOf(diffWordsWithSpace(before, before)))).toBe(true);
  });
});

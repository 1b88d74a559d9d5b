import { diffWordsWithSpace } from "diff";
import { describe, expect, it } from "vitest";
import type { Atom } from "../api/types";
import { groupByKind, compareValues, isUnchanged, toDiffParts, sideOf } from "./summaryDiff";

const atom = (kind: Atom["kind"], value: string): Atom => ({ kind, value, seq: 1, label: "", day: null });

describe("groupByKind", () => {
  it("groups values and omits empty kinds", () => {
    const groups = groupByKind([atom("name", "Anna"), atom("date", "14 May"), atom("name", "Porto")]);
    expect(groups.map(({ kind, atoms }) => [kind, atoms.length])).toEqual([
      ["date", 1],
      ["name", 2],
    ]);
  });

  it("includes every kind", () => {
    const kinds: Atom["kind"][] = [
      "date", "amount", "name", "identifier", "url", "path", "quote", "constraint", "preference",
      "decision",
    ];
    expect(groupByKind(kinds.map((kind) => atom(kind, kind)))).toHaveLength(kinds.length);
  });
});

describe("compareValues", () => {
  it("compares values regardless of their kind", () => {
    const before = [atom("name", "Anna"), atom("date", "14 May")];
    const after = [atom("quote", "Anna"), atom("amount", "12 EUR")];
    expect(compareValues(before, after)).toEqual({ added: ["12 EUR"], removed: ["14 May"] });
  });
});

describe("toDiffParts", () => {
  const before = "They took the train to Porto.";
  const after = "They took the bus to Porto at noon.";
  const parts = toDiffParts(diffWordsWithSpace(before, after));
  const join = (side: "before" | "after") =>
    sideOf(parts, side).map(({ text }) => text).join("");

  it("contains both texts", () => {
    expect(join("before")).toBe(before);
    expect(join("after")).toBe(after);
  });

  it("marks whole words", () => {
    expect(parts).toContainEqual({ kind: "removed", text: "train" });
    expect(parts).toContainEqual({ kind: "added", text: "bus" });
  });

  it("marks a phrase as one change", () => {
    expect(toDiffParts(diffWordsWithSpace("a fast red car", "a slow blue car"))).toEqual([
      { kind: "same", text: "a " },
      { kind: "removed", text: "fast red" },
      { kind: "added", text: "slow blue" },
      { kind: "same", text: " car" },
    ]);
  });

  it("detects identical texts", () => {
    expect(isUnchanged(parts)).toBe(false);
    expect(isUnchanged(toDiffParts(diffWordsWithSpace(before, before)))).toBe(true);
  });
});

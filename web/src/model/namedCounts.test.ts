import { describe, expect, it } from "vitest";
import { namedCounts } from "./namedCounts";

describe("namedCounts", () => {
  const names = { messages: ["message", "messages"], keys: ["key", "keys"] } as const;

  it("returns the counts above zero, singular or plural", () => {
    expect(namedCounts({ keys: 1, messages: 20 }, names)).toEqual([
      { amount: 20, name: "messages" },
      { amount: 1, name: "key" },
    ]);
    expect(namedCounts({ keys: 0, messages: 0 }, names)).toEqual([]);
  });
});

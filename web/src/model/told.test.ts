import { describe, expect, it } from "vitest";
import { told } from "./told";

describe("told", () => {
  const names = { messages: ["message", "messages"], keys: ["key", "keys"] } as const;

  it("says what there is, one or many, and nothing of nothing", () => {
    expect(told({ keys: 1, messages: 20 }, names)).toEqual([
      { amount: 20, name: "messages" },
      { amount: 1, name: "key" },
    ]);
    expect(told({ keys: 0, messages: 0 }, names)).toEqual([]);
  });
});

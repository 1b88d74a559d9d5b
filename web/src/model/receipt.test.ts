import { describe, expect, it } from "vitest";
import type { Receipt, ReceiptItem } from "../api/types";
import {
  barOf,
  freeRoom,
  isSummarized,
  leavesOut,
  savedShare,
  sayReason,
  sectionsOf,
  sourceOf,
  spanOf,
} from "./receipt";

function item(changes: Partial<ReceiptItem>): ReceiptItem {
  return {
    section: "tail",
    source: "system prompt",
    tokens: 10,
    outcome: "included",
    reason: "Recent.",
    message_id: null,
    first_seq: null,
    last_seq: null,
    ...changes,
  };
}

function said(seq: number, changes: Partial<ReceiptItem> = {}): ReceiptItem {
  return item({
    source: `message ${seq} (user)`,
    message_id: `m${seq}`,
    first_seq: seq,
    last_seq: seq,
    ...changes,
  });
}

function receipt(items: ReceiptItem[], changes: Partial<Receipt> = {}): Receipt {
  return {
    budget: 100,
    tokens: 50,
    memory_tokens: 40,
    mode: "compressed",
    policy: "chunked",
    summary_version: 1,
    full_history_tokens: 1_000,
    items,
    ...changes,
  };
}

describe("sectionsOf", () => {
  it("keeps the order, and counts only what was sent", () => {
    const sections = sectionsOf(
      receipt([item({ section: "summary" }), said(5), said(6, { outcome: "dropped" })]),
    );
    expect(sections.map((section) => [section.section, section.tokens])).toEqual([
      ["summary", 10],
      ["tail", 10],
    ]);
    const [dropped] = sectionsOf(receipt([said(6, { outcome: "dropped" })]));
    expect(dropped).toMatchObject({ tokens: 0, isSent: false });
  });

  it("joins neighbours that share their fate, and results with their call", () => {
    const [tail] = sectionsOf(
      receipt([
        said(3),
        said(4),
        said(5, { reason: "With its call.", tokens: 0 }),
        said(6),
        said(8),
        said(9, { outcome: "shortened" }),
      ]),
    );
    expect(tail?.runs.map((run) => [spanOf(run)?.first, spanOf(run)?.last, run.tokens])).toEqual([
      [3, 6, 30],
      [8, 8, 10],
      [9, 9, 10],
    ]);
  });

  it("never joins what is no message", () => {
    const memory = item({ section: "memories" });
    const [memories] = sectionsOf(receipt([memory, memory]));
    expect(memories?.runs).toHaveLength(2);
    expect(spanOf(memories!.runs[0]!)).toBeNull();
  });
});

it("knows which item is charged with the heading of its section", () => {
  const memory = (source: string, changes: Partial<ReceiptItem> = {}) =>
    item({ section: "memories", source, ...changes });
  const headed = (...items: ReceiptItem[]) => sectionsOf(receipt(items))[0]?.headed?.source;
  expect(headed(memory("a", { outcome: "dropped" }), memory("b"), memory("c"))).toBe("b");
  expect(headed(memory("a"), memory("b", { outcome: "dropped" }))).toBeUndefined();
  expect(headed(said(1), said(2))).toBeUndefined();
});

describe("sourceOf", () => {
  it("knows what the server names", () => {
    const of = (source: string, more: Partial<ReceiptItem> = {}) =>
      sourceOf(item({ source, ...more }));
    expect(of("message 12 (tool)")).toEqual({ kind: "message", seq: 12, role: "tool" });
    expect(of("summary version 3")).toEqual({ kind: "summary", version: 3 });
    expect(of("ledger of summary version 3")).toEqual({ kind: "ledger", version: 3 });
    expect(of("messages 1 to 9", { first_seq: 1, last_seq: 9 })).toEqual({
      kind: "messages",
      first: 1,
      last: 9,
    });
    expect(of("search by meaning")).toEqual({ kind: "meaning" });
    expect(of("something new")).toEqual({ kind: "other", text: "something new" });
  });

  it("takes a context's name for nothing else", () => {
    expect(sourceOf(item({ section: "contexts", source: "system prompt" }))).toEqual({
      kind: "context",
      name: "system prompt",
    });
  });
});

describe("sayReason", () => {
  const known = { "Over budget.": "Troppo.", "The summary covers it.": "Nel riassunto." };
  const say = (reason: string) => sayReason(reason, known, (left, all) => `${left}/${all}`);

  it("goes sentence by sentence", () => {
    expect(say("Over budget. The summary covers it.")).toBe("Troppo. Nel riassunto.");
    expect(say("Over budget. 3 of 10 are there.")).toBe("Troppo. 3/10");
  });

  it("leaves what it does not know", () => {
    expect(say("Over budget. It rained.")).toBe("Troppo. It rained.");
    expect(say("constructor")).toBe("constructor");
  });
});

describe("the figures", () => {
  it("never says that everything was saved", () => {
    expect(savedShare(receipt([], { tokens: 1, full_history_tokens: 100_000 }))).toBe(0.99);
    expect(savedShare(receipt([], { tokens: 64, full_history_tokens: 6 }))).toBeNull();
    expect(savedShare(receipt([], { tokens: 5, full_history_tokens: 0 }))).toBeNull();
  });

  it("has no less than no room", () => {
    expect(freeRoom(receipt([]))).toBe(60);
    expect(freeRoom(receipt([], { budget: 10 }))).toBe(0);
  });

  it("knows when messages were left out", () => {
    expect(leavesOut(receipt([said(1, { outcome: "dropped" })]))).toBe(true);
    expect(leavesOut(receipt([item({ section: "summary", outcome: "dropped" })]))).toBe(false);
  });

  it("knows when a summary stands in for messages", () => {
    const summary = item({ section: "summary", source: "summary version 1" });
    expect(isSummarized(receipt([summary, said(5)]))).toBe(true);
    expect(isSummarized(receipt([{ ...summary, outcome: "shortened" }]))).toBe(true);
    expect(isSummarized(receipt([{ ...summary, outcome: "dropped" }, said(5)]))).toBe(false);
  });

  it("draws what was sent as long as it is, but never too small to see", () => {
    const drawn = (changes: Partial<Receipt>) => {
      const made = receipt([said(1, { tokens: 30 }), item({ section: "system" })], changes);
      const bar = barOf(made, sectionsOf(made));
      return { ...bar, segments: bar.segments.map(({ share }) => share) };
    };
    expect(drawn({ budget: 90, memory_tokens: 80 })).toEqual({
      segments: [expect.closeTo(0.6), expect.closeTo(0.2)],
      freeShare: expect.closeTo(0.2),
      isCut: false,
    });
    expect(drawn({ budget: 100_000, memory_tokens: 30 })).toEqual({
      segments: [expect.closeTo(0.375), expect.closeTo(0.125)],
      freeShare: 0.5,
      isCut: true,
    });
  });
});

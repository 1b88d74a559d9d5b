import { describe, expect, it } from "vitest";
import type { Receipt, ReceiptItem } from "../api/types";
import {
  budgetBar,
  memorySections,
  passageSource,
  freeTokens,
  hasSummary,
  hasDroppedMessages,
  savedShare,
  translateReason,
  receiptSections,
  parseSource,
  seqRange,
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
    conversation_id: null,
    start: null,
    end: null,
    title: null,
    ...changes,
  };
}

function messageItem(seq: number, changes: Partial<ReceiptItem> = {}): ReceiptItem {
  return item({
    source: `message ${seq} (user)`,
    message_id: `m${seq}`,
    first_seq: seq,
    last_seq: seq,
    ...changes,
  });
}

function passageItem(seq: number, changes: Partial<ReceiptItem> = {}): ReceiptItem {
  const place = { conversation_id: "c1", start: 0, end: 40 };
  return messageItem(seq, { section: "retrieved", ...place, ...changes });
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
    sections: [],
    layout: "seed",
    prefix: [],
    unchanged_tokens: 0,
    cached_tokens: null,
    ...changes,
  };
}

describe("receiptSections", () => {
  it("keeps the order and counts sent tokens only", () => {
    const sections = receiptSections(
      receipt([item({ section: "summary" }), messageItem(5), messageItem(6, { outcome: "dropped" })]),
    );
    expect(sections.map((section) => [section.section, section.tokens])).toEqual([
      ["summary", 10],
      ["tail", 10],
    ]);
    const [dropped] = receiptSections(receipt([messageItem(6, { outcome: "dropped" })]));
    expect(dropped).toMatchObject({ tokens: 0, isSent: false });
  });

  it("groups consecutive messages, and tool results with their call", () => {
    const [tail] = receiptSections(
      receipt([
        messageItem(3),
        messageItem(4),
        messageItem(5, { reason: "Sent with its tool call.", tokens: 0 }),
        messageItem(6),
        messageItem(8),
        messageItem(9, { outcome: "shortened" }),
      ]),
    );
    expect(tail?.groups.map((group) => [seqRange(group)?.first, seqRange(group)?.last, group.tokens])).toEqual([
      [3, 6, 30],
      [8, 8, 10],
      [9, 9, 10],
    ]);
  });

  it("groups passages only if they were left out", () => {
    const [retrieved] = receiptSections(
      receipt([
        passageItem(3),
        passageItem(4),
        passageItem(9, { outcome: "dropped", reason: "Over budget." }),
        passageItem(2, { outcome: "dropped", reason: "Over budget." }),
      ]),
    );
    expect(retrieved?.groups.map(({ items }) => items.map(({ message_id }) => message_id))).toEqual([
      ["m3"],
      ["m4"],
      ["m9", "m2"],
    ]);
  });

  it("does not group items that are not messages", () => {
    const memory = item({ section: "memories" });
    const [memories] = receiptSections(receipt([memory, memory]));
    expect(memories?.groups).toHaveLength(2);
    expect(seqRange(memories!.groups[0]!)).toBeNull();
  });
});

it("finds the item whose tokens include the heading", () => {
  const memory = (source: string, changes: Partial<ReceiptItem> = {}) =>
    item({ section: "memories", source, ...changes });
  const headingSource = (...items: ReceiptItem[]) => receiptSections(receipt(items))[0]?.headingItem?.source;
  expect(headingSource(memory("a", { outcome: "dropped" }), memory("b"), memory("c"))).toBe("b");
  expect(headingSource(memory("a"), memory("b", { outcome: "dropped" }))).toBeUndefined();
  expect(headingSource(messageItem(1), messageItem(2))).toBeUndefined();
});

it("finds the place of a passage", () => {
  expect(passageSource(passageItem(3))).toEqual({ conversationId: "c1", messageId: "m3", start: 0, end: 40 });
  expect(passageSource(messageItem(3))).toBeNull();
});

describe("memorySections", () => {
  const items = [item({ section: "system" }), messageItem(1, { tokens: 30 })];
  const sections = (changes: Partial<Receipt>) => {
    const sample = receipt(items, changes);
    return memorySections(sample, receiptSections(sample));
  };

  it("returns the shares of the receipt", () => {
    const tail = { section: "tail", share: 20, tokens: 30, flowed: 10 } as const;
    expect(sections({ sections: [tail] })).toEqual([tail]);
  });

  it("returns the used tokens of an old receipt", () => {
    expect(sections({})).toEqual([{ section: "tail", share: 0, tokens: 30, flowed: 0 }]);
  });
});

describe("parseSource", () => {
  it("parses the server's source names", () => {
    const parse = (source: string, more: Partial<ReceiptItem> = {}) =>
      parseSource(item({ source, ...more }));
    expect(parse("message 12 (tool)")).toEqual({ kind: "message", seq: 12, role: "tool" });
    expect(parse("summary version 3")).toEqual({ kind: "summary", version: 3 });
    expect(parse("ledger of summary version 3")).toEqual({ kind: "ledger", version: 3 });
    expect(parse("messages 1 to 9", { first_seq: 1, last_seq: 9 })).toEqual({
      kind: "messages",
      first: 1,
      last: 9,
    });
    expect(parse("search by meaning")).toEqual({ kind: "meaning" });
    expect(parse("current date", { section: "system" })).toEqual({ kind: "date" });
    expect(parse("something new")).toEqual({ kind: "other", text: "something new" });
  });

  it("does not parse the name of a context", () => {
    expect(parseSource(item({ section: "contexts", source: "system prompt" }))).toEqual({
      kind: "context",
      name: "system prompt",
    });
  });
});

describe("translateReason", () => {
  const known = { "Over budget.": "Troppo.", "Covered by the summary.": "Nel riassunto." };
  const say = (reason: string) => translateReason(reason, known, (left, all) => `${left}/${all}`);

  it("translates sentence by sentence", () => {
    expect(say("Over budget. Covered by the summary.")).toBe("Troppo. Nel riassunto.");
    expect(say("Over budget. 3 of 10 kept.")).toBe("Troppo. 3/10");
  });

  it("translates the reasons of old receipts", () => {
    expect(say("Over budget. The summary covers it.")).toBe("Troppo. Nel riassunto.");
    expect(say("Over budget. 3 of 10 are there.")).toBe("Troppo. 3/10");
  });

  it("keeps unknown sentences", () => {
    expect(say("Over budget. It rained.")).toBe("Troppo. It rained.");
    expect(say("constructor")).toBe("constructor");
  });
});

describe("totals", () => {
  it("never returns a saving of 100 %", () => {
    expect(savedShare(receipt([], { tokens: 1, full_history_tokens: 100_000 }))).toBe(0.99);
    expect(savedShare(receipt([], { tokens: 64, full_history_tokens: 6 }))).toBeNull();
    expect(savedShare(receipt([], { tokens: 5, full_history_tokens: 0 }))).toBeNull();
  });

  it("never returns negative free tokens", () => {
    expect(freeTokens(receipt([]))).toBe(60);
    expect(freeTokens(receipt([], { budget: 10 }))).toBe(0);
  });

  it("detects dropped messages", () => {
    expect(hasDroppedMessages(receipt([messageItem(1, { outcome: "dropped" })]))).toBe(true);
    expect(hasDroppedMessages(receipt([item({ section: "summary", outcome: "dropped" })]))).toBe(false);
  });

  it("detects a summary", () => {
    const summary = item({ section: "summary", source: "summary version 1" });
    expect(hasSummary(receipt([summary, messageItem(5)]))).toBe(true);
    expect(hasSummary(receipt([{ ...summary, outcome: "shortened" }]))).toBe(true);
    expect(hasSummary(receipt([{ ...summary, outcome: "dropped" }, messageItem(5)]))).toBe(false);
  });

  it("draws sections to scale, with a minimum length", () => {
    const sections = [
      { section: "tail", share: 0, tokens: 30, flowed: 0 },
      { section: "summary", share: 0, tokens: 10, flowed: 0 },
      { section: "pinned", share: 10, tokens: 0, flowed: -10 },
    ] as const;
    const drawn = (changes: Partial<Receipt>) => {
      const bar = budgetBar(receipt([], changes), sections);
      return { ...bar, segments: bar.segments.map(({ share }) => share) };
    };
    expect(drawn({ budget: 90, memory_tokens: 80 })).toEqual({
      segments: [expect.closeTo(0.6), expect.closeTo(0.2)],
      freeShare: expect.closeTo(0.2),
      isTruncated: false,
    });
    expect(drawn({ budget: 100_000, memory_tokens: 30 })).toEqual({
      segments: [expect.closeTo(0.375), expect.closeTo(0.125)],
      freeShare: 0.5,
      isTruncated: true,
    });
  });
});

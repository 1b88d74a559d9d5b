/**
 * A receipt as a reader wants it: by section, in the order the sections were sent, each item's
 * source and reason taken apart so that they can be said in the reader's language.
 */
import type { Receipt, ReceiptItem, Role, Section } from "../api/types";

export type Outcome = ReceiptItem["outcome"];

/** What an item is, as far as it can be told from what the server calls it. */
export type Source =
  | { kind: "system" | "question" | "meaning" }
  | { kind: "context"; name: string }
  | { kind: "message"; seq: number; role: Role | null }
  | { kind: "messages"; first: number; last: number }
  | { kind: "summary" | "ledger"; version: number }
  | { kind: "memory"; id: string }
  | { kind: "other"; text: string };

/** Items that stand beside each other and share their fate: one line, until somebody looks. */
export interface Run {
  items: readonly ReceiptItem[];
  tokens: number;
  outcome: Outcome;
  reason: string;
}

export interface ReceiptSection {
  section: Section;
  runs: readonly Run[];
  /** Of what was sent; what was dropped takes no room. */
  tokens: number;
  isSent: boolean;
  /** The item whose tokens are its own and the section's heading's, where others are there beside
   * it that it would look dear among. */
  headed: ReceiptItem | null;
}

/** These come from the caller, and are not held to the budget of the memory part. */
const besideBudget: ReadonlySet<Section> = new Set(["system", "contexts", "message"]);

export function isBesideBudget(section: Section): boolean {
  return besideBudget.has(section);
}

/** The first item that is sent of these pays for what stands above all of them. */
const headedSections: ReadonlySet<Section> = new Set([
  "memories",
  "summary",
  "pinned",
  "retrieved",
  "references",
]);

export function sectionsOf(receipt: Receipt): ReceiptSection[] {
  const inOrder = [...new Set(receipt.items.map((item) => item.section))];
  return inOrder.map((section) => {
    const items = receipt.items.filter((item) => item.section === section);
    const sent = items.filter((item) => item.outcome !== "dropped");
    return {
      section,
      runs: runsOf(items),
      tokens: sum(sent),
      isSent: sent.length > 0,
      headed: headedSections.has(section) && sent.length > 1 ? sent[0]! : null,
    };
  });
}

/** What of the budget nothing was put into. */
export function freeRoom(receipt: Receipt): number {
  return Math.max(0, receipt.budget - receipt.memory_tokens);
}

/** At least this much of the bar is for what was sent, however much room was left. */
const sentAtLeast = 0.5;

export interface Bar {
  segments: readonly { section: Section; share: number }[];
  freeShare: number;
  /** Whether the free room is drawn shorter than it is. */
  isCut: boolean;
}

/** How the bar is divided: shares of its whole length. */
export function barOf(receipt: Receipt, sent: readonly ReceiptSection[]): Bar {
  const used = sent.reduce((total, section) => total + section.tokens, 0);
  const free = freeRoom(receipt);
  const honest = used / Math.max(1, used + free);
  const sentShare = used === 0 ? 0 : Math.max(honest, sentAtLeast);
  return {
    segments: sent.map(({ section, tokens }) => ({
      section,
      share: used === 0 ? 0 : (tokens / used) * sentShare,
    })),
    freeShare: 1 - sentShare,
    isCut: sentShare > honest,
  };
}

/**
 * How much less than the whole history was sent, as a fraction, rounded down to a hundredth: never
 * a hundred percent. Nothing where it was no less.
 */
export function savedShare({ tokens, full_history_tokens }: Receipt): number | null {
  const share = Math.floor((1 - tokens / full_history_tokens) * 100) / 100;
  return share > 0 ? share : null;
}

/** Whether the model was not shown some of the messages as they were said. */
export function leavesOut({ items }: Receipt): boolean {
  return items.some((item) => item.section === "tail" && item.outcome === "dropped");
}

/** Whether a summary was sent in the place of what was said before. */
export function isSummarized({ items }: Receipt): boolean {
  return items.some((item) => item.section === "summary" && item.outcome !== "dropped");
}

export function sourceOf(item: ReceiptItem): Source {
  const { section, source } = item;
  if (section === "memories") return { kind: "memory", id: source };
  if (section === "contexts") return { kind: "context", name: source };
  if (source === "system prompt") return { kind: "system" };
  if (source === "current message") return { kind: "question" };
  if (source === "search by meaning") return { kind: "meaning" };
  const message = /^message (\d+) \((\w+)\)$/.exec(source);
  if (message) return { kind: "message", seq: Number(message[1]), role: message[2] as Role };
  const summary = /^(ledger of )?summary version (\d+)$/.exec(source);
  if (summary) return { kind: summary[1] ? "ledger" : "summary", version: Number(summary[2]) };
  const { first_seq: first, last_seq: last } = item;
  if (first !== null && last !== null) return { kind: "messages", first, last };
  return { kind: "other", text: source };
}

/**
 * A reason in the reader's words, sentence by sentence; one that nobody knows stays as it is.
 * `partly` says "3 of 10 are there".
 */
export function sayReason(
  reason: string,
  known: Readonly<Record<string, string>>,
  partly: (left: number, all: number) => string,
): string {
  return reason
    .split(/(?<=\.) (?=[A-Z0-9])/)
    .map((sentence) => {
      const numbers = /^(\d+) of (\d+) are there\.$/.exec(sentence);
      if (numbers) return partly(Number(numbers[1]), Number(numbers[2]));
      return Object.hasOwn(known, sentence) ? known[sentence] : sentence;
    })
    .join(" ");
}

/** The first and the last message of a run that is made of messages. */
export function spanOf({ items }: Run): { first: number; last: number } | null {
  const first = items[0]?.first_seq;
  const last = items.at(-1)?.last_seq;
  return first == null || last == null ? null : { first, last };
}

function runsOf(items: readonly ReceiptItem[]): Run[] {
  const groups: ReceiptItem[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group && continues(group, item)) group.push(item);
    else groups.push([item]);
  }
  return groups.map((group) => ({
    items: group,
    tokens: sum(group),
    outcome: group[0]!.outcome,
    reason: group[0]!.reason,
  }));
}

/** A tool's result goes with its call, whatever the reason that this is there for. */
function continues(group: readonly ReceiptItem[], item: ReceiptItem): boolean {
  const before = group.at(-1)!;
  return (
    item.message_id !== null &&
    before.message_id !== null &&
    item.first_seq === before.last_seq! + 1 &&
    item.outcome === before.outcome &&
    (item.reason === group[0]!.reason || item.reason === "With its call.")
  );
}

function sum(items: readonly ReceiptItem[]): number {
  return items.reduce((total, item) => total + item.tokens, 0);
}

/**
 * Prepares a receipt for display: items grouped by section, in the order they were sent, with
 * sources and reasons parsed so that they can be translated.
 */
import type { Receipt, ReceiptItem, Role, Section, SectionShare } from "../api/types";
import { presentReasons } from "./oldReasons";
import type { Passage } from "./passages";

export type Outcome = ReceiptItem["outcome"];

/** An item's source, parsed from the server's text. */
export type Source =
  | { kind: "system" | "date" | "note" | "question" | "meaning" }
  | { kind: "context"; name: string }
  | { kind: "message"; seq: number; role: Role | null }
  | { kind: "messages"; first: number; last: number }
  | { kind: "summary" | "ledger"; version: number }
  | { kind: "memory"; id: string }
  | { kind: "other"; text: string };

/** Consecutive messages, or passages that were left out, with the same outcome and reason. */
export interface ItemGroup {
  items: readonly ReceiptItem[];
  tokens: number;
  outcome: Outcome;
  reason: string;
}

export interface ReceiptSection {
  section: Section;
  groups: readonly ItemGroup[];
  /** Tokens of the sent items. */
  tokens: number;
  isSent: boolean;
  /** The item whose tokens include the section's heading, if the section has several items. */
  headingItem: ReceiptItem | null;
}

/** The caller provides these sections; they do not count against the memory budget. */
const outsideBudget: ReadonlySet<Section> = new Set(["system", "contexts", "message"]);

export function isOutsideBudget(section: Section): boolean {
  return outsideBudget.has(section);
}

/** In these sections the first sent item's tokens include the heading. */
const sectionsWithHeading: ReadonlySet<Section> = new Set([
  "memories",
  "summary",
  "pinned",
  "retrieved",
  "references",
]);

export function receiptSections(receipt: Receipt): ReceiptSection[] {
  const inOrder = [...new Set(receipt.items.map((item) => item.section))];
  return inOrder.map((section) => {
    const items = receipt.items.filter((item) => item.section === section);
    const sent = items.filter((item) => item.outcome !== "dropped");
    return {
      section,
      groups: groupItems(items),
      tokens: sum(sent),
      isSent: sent.length > 0,
      headingItem: sectionsWithHeading.has(section) && sent.length > 1 ? sent[0]! : null,
    };
  });
}

/** Returns the sections of the memory budget. Old receipts do not have shares. */
export function memorySections(
  receipt: Receipt,
  sections: readonly ReceiptSection[],
): readonly SectionShare[] {
  if (receipt.sections.length > 0) return receipt.sections;
  return sections
    .filter(({ section, isSent }) => isSent && !isOutsideBudget(section))
    .map(({ section, tokens }) => ({ section, share: 0, tokens, flowed: 0 }));
}

/** A retrieved passage: where it is quoted from. */
export interface PassageSource extends Passage {
  conversationId: string;
  messageId: string;
}

/** Returns null for items that are not passages. */
export function passageSource(item: ReceiptItem): PassageSource | null {
  const { conversation_id: conversationId, message_id: messageId, start, end } = item;
  if (conversationId === null || messageId === null || start === null || end === null) return null;
  return { conversationId, messageId, start, end };
}

export function freeTokens(receipt: Receipt): number {
  return Math.max(0, receipt.budget - receipt.memory_tokens);
}

/** Minimum part of the bar for the sent sections. */
const MIN_SENT_SHARE = 0.5;

export interface Bar {
  segments: readonly { section: Section; share: number }[];
  freeShare: number;
  /** Whether the free part is drawn too short. */
  isTruncated: boolean;
}

/** Returns the parts of the bar's length. */
export function budgetBar(receipt: Receipt, sections: readonly SectionShare[]): Bar {
  const used = sections.reduce((total, section) => total + section.tokens, 0);
  const free = freeTokens(receipt);
  const exactShare = used / Math.max(1, used + free);
  const sentShare = used === 0 ? 0 : Math.max(exactShare, MIN_SENT_SHARE);
  return {
    segments: sections
      .filter(({ tokens }) => tokens > 0)
      .map(({ section, tokens }) => ({ section, share: (tokens / used) * sentShare })),
    freeShare: 1 - sentShare,
    isTruncated: sentShare > exactShare,
  };
}

/**
 * Returns the saved fraction of the full history, rounded down to a hundredth; null if nothing was
 * saved.
 */
export function savedShare({ tokens, full_history_tokens }: Receipt): number | null {
  const share = Math.floor((1 - tokens / full_history_tokens) * 100) / 100;
  return share > 0 ? share : null;
}

export function hasDroppedMessages({ items }: Receipt): boolean {
  return items.some((item) => item.section === "tail" && item.outcome === "dropped");
}

export function hasSummary({ items }: Receipt): boolean {
  return items.some((item) => item.section === "summary" && item.outcome !== "dropped");
}

export function parseSource(item: ReceiptItem): Source {
  const { section, source } = item;
  if (section === "memories") return { kind: "memory", id: source };
  if (section === "contexts") return { kind: "context", name: source };
  if (source === "system prompt") return { kind: "system" };
  if (section === "system" && source === "current date") return { kind: "date" };
  if (section === "system" && source === "note") return { kind: "note" };
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
 * Translates a reason sentence by sentence; unknown sentences stay unchanged. `partly` translates
 * "3 of 10 kept".
 */
export function translateReason(
  reason: string,
  known: Readonly<Record<string, string>>,
  partly: (count: number, total: number) => string,
): string {
  return reason
    .split(/(?<=\.) (?=[A-Z0-9])/)
    .map((sentence) => {
      const numbers = /^(\d+) of (\d+) (?:kept|are there)\.$/.exec(sentence);
      if (numbers) return partly(Number(numbers[1]), Number(numbers[2]));
      const present = Object.hasOwn(presentReasons, sentence) ? presentReasons[sentence]! : sentence;
      return Object.hasOwn(known, present) ? known[present] : sentence;
    })
    .join(" ");
}

/** Returns the first and last sequence number of a group of messages. */
export function seqRange({ items }: ItemGroup): { first: number; last: number } | null {
  const first = items[0]?.first_seq;
  const last = items.at(-1)?.last_seq;
  return first == null || last == null ? null : { first, last };
}

function groupItems(items: readonly ReceiptItem[]): ItemGroup[] {
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

const sentWithCall = new Set(["Sent with its tool call.", "With its call."]);

/** A tool result belongs to the group of its call, which has its own reason. */
function continues(group: readonly ReceiptItem[], item: ReceiptItem): boolean {
  const previous = group.at(-1)!;
  if (item.message_id === null || previous.message_id === null) return false;
  if (item.outcome !== previous.outcome) return false;
  const isSameReason = item.reason === group[0]!.reason;
  if (passageSource(item) || passageSource(previous)) return item.outcome === "dropped" && isSameReason;
  return item.first_seq === previous.last_seq! + 1 && (isSameReason || sentWithCall.has(item.reason));
}

function sum(items: readonly ReceiptItem[]): number {
  return items.reduce((total, item) => total + item.tokens, 0);
}

/**
 * Passages: parts of the text of a message that the server searches, which is its content followed
 * by the results of its tool calls. The server counts code points, strings here count UTF-16 units.
 */
import type { Message } from "../api/types";

/** Offsets in code points. */
export interface Passage {
  start: number;
  end: number;
}

/** Offsets in UTF-16 units. */
export interface TextRange {
  start: number;
  end: number;
}

/** Where a passage stands in a message. */
export interface PassageLocation {
  /** The part in the content. */
  content: TextRange | null;
  /** The parts in the results of tool calls, by the index of the call. */
  results: ReadonlyMap<number, string>;
}

type Body = Pick<Message, "content" | "tool_calls">;

const SEPARATOR = "\n\n";

/** Returns the index of a code point in a string, at most its length. */
export function utf16Index(text: string, codePoints: number): number {
  let index = 0;
  for (let count = 0; count < codePoints && index < text.length; count += 1) {
    index += text.codePointAt(index)! > 0xffff ? 2 : 1;
  }
  return index;
}

export function codePointCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function locatePassage({ content, tool_calls }: Body, passage: Passage): PassageLocation {
  const results = new Map<number, string>();
  let offset = content === "" ? 0 : codePointCount(content + SEPARATOR);
  (tool_calls ?? []).forEach(({ tool_name, output }, index) => {
    if (output == null || output === "") return;
    const heading = `${String(tool_name ?? "")}: `;
    const result = typeof output === "string" ? output : serialize(output);
    const start = offset + codePointCount(heading);
    const range = overlap(result, { start: passage.start - start, end: passage.end - start });
    if (range) results.set(index, result.slice(range.start, range.end));
    offset = start + codePointCount(result + SEPARATOR);
  });
  return { content: overlap(content, passage), results };
}

/** Returns the quoted text. */
export function passageText(message: Body, passage: Passage): string {
  const { content, results } = locatePassage(message, passage);
  const said = content ? [message.content.slice(content.start, content.end)] : [];
  return [...said, ...results.values()].join(SEPARATOR).trim();
}

/** Returns the range of a part that starts at `offset`, relative to it; null if they are apart. */
export function rangeWithin({ start, end }: TextRange, offset: number, length: number): TextRange | null {
  const from = Math.max(start - offset, 0);
  const to = Math.min(end - offset, length);
  return from < to ? { start: from, end: to } : null;
}

function overlap(text: string, { start, end }: Passage): TextRange | null {
  if (end <= 0) return null;
  return rangeWithin({ start: utf16Index(text, start), end: utf16Index(text, end) }, 0, text.length);
}

/** Formats a value like the server, with a space after commas and colons. */
function serialize(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(serialize).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}: ${serialize(field)}`);
  return `{${fields.join(", ")}}`;
}

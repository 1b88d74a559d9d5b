/**
 * An answer as it is written: a UI message stream, event by event.
 *
 * Every event's id is a place in the answer. Whoever names the last one they have got reads on
 * right after it, on any server, also once the answer has ended.
 */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ApiError } from "./error";
import type { Receipt } from "./types";

/** How much the model was shown, which is known before its first word. */
export type ReceiptTotals = Pick<
  Receipt,
  "mode" | "policy" | "tokens" | "budget" | "memory_tokens" | "full_history_tokens"
>;

export type Part =
  | { type: "start"; messageId: string; messageMetadata: { conversation_id: string } }
  | { type: "data-receipt"; data: ReceiptTotals }
  | { type: "reasoning-delta" | "text-delta"; delta: string }
  | { type: "tool-input-available"; toolCallId: string; toolName: string; input: unknown }
  | { type: "tool-output-available"; toolCallId: string; output: unknown }
  | { type: "tool-output-error"; toolCallId: string; errorText: string }
  | { type: "finish" }
  | { type: "abort" }
  | { type: "error"; errorText: string };

export interface AnswerEvent {
  id: string;
  part: Part;
}

const known: ReadonlySet<string> = new Set<Part["type"]>([
  "start",
  "data-receipt",
  "reasoning-delta",
  "text-delta",
  "tool-input-available",
  "tool-output-available",
  "tool-output-error",
  "finish",
  "abort",
  "error",
]);

/** The server says about every 15 seconds that it is still there, if it has nothing else to say. */
const longestSilence = 45_000;

/** The events of a response, up to its end or to where the connection breaks (an `ApiError`). */
export async function* eventsOf(response: Response): AsyncGenerator<AnswerEvent> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  try {
    for (;;) {
      const { done, value } = await withoutSilence(reader.read()).catch(() =>
        Promise.reject(ApiError.unreachable()),
      );
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      for (const { id = "", data } of events.splice(0)) {
        const part = parsePart(data);
        if (part) yield { id, part };
      }
    }
  } finally {
    reader.cancel().catch(() => undefined); // ends the request too
  }
}

/** A connection may die without a word; then a read of it would never end. */
async function withoutSilence<T>(reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, longestSilence);
  });
  try {
    return await Promise.race([reading, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Null for what says nothing here: the end marker, and kinds of parts that are not known yet. */
export function parsePart(data: string): Part | null {
  if (data === "[DONE]") return null;
  let part: unknown;
  try {
    part = JSON.parse(data);
  } catch {
    return null;
  }
  const isKnown =
    typeof part === "object" && part !== null && "type" in part && known.has(String(part.type));
  return isKnown ? (part as Part) : null;
}

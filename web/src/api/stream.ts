/**
 * An answer as it is written: a UI message stream, event by event.
 *
 * Every event's id is a place in the answer. Whoever names the last one they have got reads on
 * right after it, on any server, also once the answer has ended.
 */
import { EventSourceParserStream } from "eventsource-parser/stream";
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

/** The events of a response, up to its end or to where the connection breaks (an `ApiError`). */
export async function* eventsOf(response: Response): AsyncGenerator<AnswerEvent> {
  if (response.body === null) return;
  const reader = response.body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array<ArrayBuffer>>)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => Promise.reject(ApiError.unreachable()));
      if (done) return;
      const part = parsePart(value.data);
      if (part) yield { id: value.id ?? "", part };
    }
  } finally {
    reader.cancel().catch(() => undefined);
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

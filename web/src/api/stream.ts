/**
 * The event stream of an answer (the AI SDK's UI message stream).
 *
 * An event's id is a position in the answer. A client resumes after the last id it received, on any
 * server, even after the answer has ended.
 */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ApiError } from "./error";
import type { Receipt } from "./types";

/** Token counts of the context, sent before the answer's first text. */
export type ReceiptTotals = Pick<
  Receipt,
  "mode" | "policy" | "tokens" | "budget" | "memory_tokens" | "full_history_tokens"
>;

export type StreamEvent =
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
  event: StreamEvent;
}

const KNOWN_TYPES: ReadonlySet<string> = new Set<StreamEvent["type"]>([
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

/** The server sends a keep-alive about every 15 seconds. */
const MAX_SILENCE_MS = 45_000;

/** Yields the events of a response. Throws an `ApiError` if the connection breaks. */
export async function* readEventStream(response: Response): AsyncGenerator<AnswerEvent> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => void messages.push(message) });
  try {
    for (;;) {
      const { done, value } = await withTimeout(reader.read()).catch(() =>
        Promise.reject(ApiError.unreachable()),
      );
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      for (const { id = "", data } of messages.splice(0)) {
        const event = parseEvent(data);
        if (event) yield { id, event };
      }
    }
  } finally {
    reader.cancel().catch(() => undefined); // closes the request
  }
}

async function withTimeout<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, MAX_SILENCE_MS);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns null for the end marker and for unknown event types. */
export function parseEvent(data: string): StreamEvent | null {
  if (data === "[DONE]") return null;
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    return null;
  }
  const isKnown =
    typeof event === "object" && event !== null && "type" in event && KNOWN_TYPES.has(String(event.type));
  return isKnown ? (event as StreamEvent) : null;
}

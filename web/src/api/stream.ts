/**
 * The event stream of an answer (the AI SDK's UI message stream).
 *
 * An event's id is a position in the answer. A client resumes after the last id it received, on any
 * server, even after the answer has ended.
 */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ApiError } from "./error";
import type { StreamEvent } from "./types";

export interface AnswerEvent {
  id: string;
  event: StreamEvent;
}

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

/** Returns null for the end marker and for data that is not an event. */
export function parseEvent(data: string): StreamEvent | null {
  if (data === "[DONE]") return null;
  try {
    const event: unknown = JSON.parse(data);
    const isEvent = typeof event === "object" && event !== null && "type" in event;
    return isEvent ? (event as StreamEvent) : null;
  } catch {
    return null;
  }
}

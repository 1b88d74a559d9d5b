import { apiPath, request, send } from "./client";
import { readEventStream, type AnswerEvent } from "./stream";
import type { Mode } from "./types";

export interface AskOptions {
  model?: string;
  mode?: Mode;
  /** Named notes for the model, such as the current page or the user's goals. */
  context?: Readonly<Record<string, unknown>>;
}

export interface Question extends AskOptions {
  message: string;
  conversation_id?: string;
}

type Events = AsyncGenerator<AnswerEvent>;

async function stream(
  path: string,
  body: unknown,
  key: string,
  signal?: AbortSignal,
): Promise<Events> {
  const headers = { Accept: "text/event-stream", "Idempotency-Key": key };
  return readEventStream(await send("POST", path, { body, headers, signal }));
}

/** Asks a question. A retry with the same key returns the first attempt's answer. */
export function ask(question: Question, key: string, signal?: AbortSignal): Promise<Events> {
  return stream(apiPath("chat"), question, key, signal);
}

export function regenerate(
  messageId: string,
  options: AskOptions,
  key: string,
  signal?: AbortSignal,
): Promise<Events> {
  return stream(apiPath("chat", messageId, "regenerate"), options, key, signal);
}

/** Asks again with an edited user message; the messages after it are superseded. */
export function edit(
  messageId: string,
  message: string,
  options: AskOptions,
  key: string,
  signal?: AbortSignal,
): Promise<Events> {
  return stream(apiPath("chat", messageId, "edit"), { message, ...options }, key, signal);
}

/** Resumes an answer, by its id or its conversation's id; null if no answer is running. */
export async function resume(
  id: string,
  lastEventId: string | null,
  signal?: AbortSignal,
): Promise<Events | null> {
  const headers: Record<string, string> = { Accept: "text/event-stream" };
  if (lastEventId !== null) headers["Last-Event-ID"] = lastEventId;
  const response = await send("GET", apiPath("chat", id, "stream"), { headers, signal });
  return response.status === 204 ? null : readEventStream(response);
}

export function stop(id: string): Promise<void> {
  return request("POST", apiPath("chat", id, "stop"), { body: {} });
}

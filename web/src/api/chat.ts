import { pathTo, request, send } from "./client";
import { eventsOf, type AnswerEvent } from "./stream";
import type { Mode } from "./types";

export interface AskOptions {
  model?: string;
  mode?: Mode;
  /** Named notes that the model is shown beside the conversation, such as a page or goals. */
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
  return eventsOf(await send("POST", path, { body, headers, signal }));
}

/** A retry under the same key gets the first attempt's answer, and asks nothing twice. */
export function ask(question: Question, key: string, signal?: AbortSignal): Promise<Events> {
  return stream(pathTo("chat"), question, key, signal);
}

export function regenerate(
  messageId: string,
  options: AskOptions,
  key: string,
  signal?: AbortSignal,
): Promise<Events> {
  return stream(pathTo("chat", messageId, "regenerate"), options, key, signal);
}

/** Asks again from an edited message of the user; what followed it is superseded. */
export function edit(
  messageId: string,
  message: string,
  options: AskOptions,
  key: string,
  signal?: AbortSignal,
): Promise<Events> {
  return stream(pathTo("chat", messageId, "edit"), { message, ...options }, key, signal);
}

/** Goes on with an answer, by its id or its conversation's; null when nothing is running. */
export async function resume(
  id: string,
  lastEventId: string | null,
  signal?: AbortSignal,
): Promise<Events | null> {
  const headers: Record<string, string> = { Accept: "text/event-stream" };
  if (lastEventId !== null) headers["Last-Event-ID"] = lastEventId;
  const response = await send("GET", pathTo("chat", id, "stream"), { headers, signal });
  return response.status === 204 ? null : eventsOf(response);
}

export function stop(id: string): Promise<void> {
  return request("POST", pathTo("chat", id, "stop"), { body: {} });
}

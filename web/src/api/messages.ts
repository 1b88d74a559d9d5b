import { pathTo, request } from "./client";
import type { Context, ContextIn, Message, MessageIn, Page, Receipt } from "./types";

export interface MessageRange {
  order: "asc" | "desc";
  /** Where the page begins, this number included; else at the conversation's end or beginning. */
  from: number | null;
  limit: number;
}

export function listMessages(
  conversationId: string,
  { order, from, limit }: MessageRange,
  signal?: AbortSignal,
): Promise<Page<Message>> {
  return request("GET", pathTo("conversations", conversationId, "messages"), {
    query: { order, limit, from_seq: from },
    signal,
  });
}

export function getMessage(
  conversationId: string,
  id: string,
  signal?: AbortSignal,
): Promise<Message> {
  return request("GET", pathTo("conversations", conversationId, "messages", id), { signal });
}

/** Appends messages, all or none. A retry under the same key stores nothing twice. */
export function addMessages(
  conversationId: string,
  messages: readonly MessageIn[],
  key: string,
): Promise<{ items: readonly Message[] }> {
  return request("POST", pathTo("conversations", conversationId, "messages"), {
    body: { messages },
    headers: { "Idempotency-Key": key },
  });
}

/** What to send to a model of one's own, with a receipt. */
export function buildContext(
  conversationId: string,
  body: ContextIn,
  signal?: AbortSignal,
): Promise<Context> {
  return request("POST", pathTo("conversations", conversationId, "context"), { body, signal });
}

export function pinMessage(message: Message, isPinned: boolean): Promise<Message> {
  return request("PATCH", pathTo("conversations", message.conversation_id, "messages", message.id), {
    body: { is_pinned: isPinned },
  });
}

export function deleteMessage(message: Message): Promise<unknown> {
  return request("DELETE", pathTo("conversations", message.conversation_id, "messages", message.id));
}

export function rateMessage(id: string, rating: "up" | "down" | null): Promise<Message> {
  return request("PUT", pathTo("messages", id, "feedback"), { body: { rating } });
}

export function getReceipt(messageId: string, signal?: AbortSignal): Promise<Receipt> {
  return request("GET", pathTo("messages", messageId, "receipt"), { signal });
}

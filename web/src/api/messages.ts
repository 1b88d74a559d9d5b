import { apiPath, request } from "./client";
import type { Context, ContextIn, Message, MessageIn, Page, Receipt } from "./types";

export interface MessageRange {
  order: "asc" | "desc";
  /** First sequence number of the page; null for the start or end of the conversation. */
  from: number | null;
  limit: number;
}

export function listMessages(
  conversationId: string,
  { order, from, limit }: MessageRange,
  signal?: AbortSignal,
): Promise<Page<Message>> {
  return request("GET", apiPath("conversations", conversationId, "messages"), {
    query: { order, limit, from_seq: from },
    signal,
  });
}

export function getMessage(
  conversationId: string,
  id: string,
  signal?: AbortSignal,
): Promise<Message> {
  return request("GET", apiPath("conversations", conversationId, "messages", id), { signal });
}

/** Appends messages, all or none. A retry with the same key is a no-op. */
export function addMessages(
  conversationId: string,
  messages: readonly MessageIn[],
  key: string,
): Promise<{ items: readonly Message[] }> {
  return request("POST", apiPath("conversations", conversationId, "messages"), {
    body: { messages },
    headers: { "Idempotency-Key": key },
  });
}

/** Builds the context for a model that the caller runs, with a receipt. */
export function buildContext(
  conversationId: string,
  body: ContextIn,
  signal?: AbortSignal,
): Promise<Context> {
  return request("POST", apiPath("conversations", conversationId, "context"), { body, signal });
}

export function pinMessage(message: Message, isPinned: boolean): Promise<Message> {
  return request("PATCH", apiPath("conversations", message.conversation_id, "messages", message.id), {
    body: { is_pinned: isPinned },
  });
}

export function deleteMessage(message: Message): Promise<unknown> {
  return request("DELETE", apiPath("conversations", message.conversation_id, "messages", message.id));
}

export function rateMessage(id: string, rating: "up" | "down" | null): Promise<Message> {
  return request("PUT", apiPath("messages", id, "feedback"), { body: { rating } });
}

export function getReceipt(messageId: string, signal?: AbortSignal): Promise<Receipt> {
  return request("GET", apiPath("messages", messageId, "receipt"), { signal });
}

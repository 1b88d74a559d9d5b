import { request } from "./client";
import type { Conversation, Page } from "./types";

const path = "/api/conversations";

export function listConversations(
  options: { q: string; cursor: string | null },
  signal: AbortSignal,
): Promise<Page<Conversation>> {
  return request("GET", path, { query: { ...options, limit: 30 }, signal });
}

export function getConversation(id: string, signal: AbortSignal): Promise<Conversation> {
  return request("GET", `${path}/${encodeURIComponent(id)}`, { query: { messages: 0 }, signal });
}

export function createConversation(): Promise<Conversation> {
  return request("POST", path, { body: {} });
}

import { apiPath, request } from "./client";
import type { Conversation, ConversationUpdate, DeletedCounts, MessageIn, Page } from "./types";

export function listConversations(
  options: { q: string; archived: boolean; project_id: string | null; cursor: string | null },
  signal?: AbortSignal,
): Promise<Page<Conversation>> {
  return request("GET", apiPath("conversations"), { query: { ...options, limit: 30 }, signal });
}

/** Returns a conversation without its messages, which are loaded page by page. */
export function getConversation(id: string, signal?: AbortSignal): Promise<Conversation> {
  return request("GET", apiPath("conversations", id), { query: { messages: 0 }, signal });
}

export function createConversation(
  body: {
    title?: string;
    policy?: string;
    metadata?: Record<string, unknown>;
    messages?: readonly MessageIn[];
  } = {},
): Promise<Conversation> {
  return request("POST", apiPath("conversations"), { body });
}

export function updateConversation(id: string, body: ConversationUpdate): Promise<Conversation> {
  return request("PATCH", apiPath("conversations", id), { body });
}

export function deleteConversation(id: string): Promise<{ deleted: DeletedCounts }> {
  return request("DELETE", apiPath("conversations", id));
}

/** Copies a conversation, up to message number `at` or completely. */
export function forkConversation(id: string, at?: number): Promise<Conversation> {
  return request("POST", apiPath("conversations", id, "fork"), {
    body: at === undefined ? {} : { at },
  });
}

export function exportUrl(id: string): string {
  return `${apiPath("conversations", id, "export")}?format=markdown`;
}

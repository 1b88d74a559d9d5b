import { pathTo, request } from "./client";
import type { Conversation, ConversationUpdate, DeletedCounts, MessageIn, Page } from "./types";

export function listConversations(
  options: { q: string; archived: boolean; cursor: string | null },
  signal?: AbortSignal,
): Promise<Page<Conversation>> {
  return request("GET", pathTo("conversations"), { query: { ...options, limit: 30 }, signal });
}

/** Without its messages, which are read page by page. */
export function getConversation(id: string, signal?: AbortSignal): Promise<Conversation> {
  return request("GET", pathTo("conversations", id), { query: { messages: 0 }, signal });
}

export function createConversation(
  body: {
    title?: string;
    policy?: string;
    metadata?: Record<string, unknown>;
    messages?: readonly MessageIn[];
  } = {},
): Promise<Conversation> {
  return request("POST", pathTo("conversations"), { body });
}

export function updateConversation(id: string, body: ConversationUpdate): Promise<Conversation> {
  return request("PATCH", pathTo("conversations", id), { body });
}

export function deleteConversation(id: string): Promise<{ deleted: DeletedCounts }> {
  return request("DELETE", pathTo("conversations", id));
}

/** A new conversation with the messages up to number `at`, or with all. */
export function forkConversation(id: string, at?: number): Promise<Conversation> {
  return request("POST", pathTo("conversations", id, "fork"), {
    body: at === undefined ? {} : { at },
  });
}

/** Where a browser finds the conversation as a file. */
export function exportAddress(id: string): string {
  return `${pathTo("conversations", id, "export")}?format=markdown`;
}

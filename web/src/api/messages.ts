import { request } from "./client";
import type { Message, Page } from "./types";

/** The newest messages first, so that a long conversation opens at its end. */
export function listMessages(
  conversationId: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page<Message>> {
  return request("GET", `/api/conversations/${encodeURIComponent(conversationId)}/messages`, {
    query: { order: "desc", limit: 50, cursor },
    signal,
  });
}

/** Voice chats: conversations as turns, with one history to display and one for the model. */
import { apiPath, request } from "./client";
import type { Chat, ConversationTurn, FoundChats } from "./types";

export function createChat(body: { title?: string; messages?: readonly ConversationTurn[] } = {}): Promise<Chat> {
  return request("POST", apiPath("chats"), { body });
}

export function getChat(id: string, signal?: AbortSignal): Promise<Chat> {
  return request("GET", apiPath("chats"), { query: { id }, signal });
}

/** Appends turns, all or none. A retry with the same key is a no-op. */
export function appendTurns(
  id: string,
  turns: readonly ConversationTurn[],
  key: string,
): Promise<Chat> {
  return request("PATCH", apiPath("chats"), {
    body: { id, messages: turns },
    headers: { "Idempotency-Key": key },
  });
}

/** Finds the chat that a sentence refers to, or the candidates if it is ambiguous. */
export function searchChats(sentence: string, signal?: AbortSignal): Promise<FoundChats> {
  return request("GET", apiPath("chats"), { query: { search: sentence }, signal });
}

/** Voice chats: conversations as turns, with the history for the eye and the one for the model. */
import { pathTo, request } from "./client";
import type { Chat, ConversationTurn, FoundChats } from "./types";

export function createChat(body: { title?: string; messages?: readonly ConversationTurn[] } = {}): Promise<Chat> {
  return request("POST", pathTo("chats"), { body });
}

export function getChat(id: string, signal?: AbortSignal): Promise<Chat> {
  return request("GET", pathTo("chats"), { query: { id }, signal });
}

/** Appends turns, all or none. A retry under the same key stores nothing twice. */
export function appendTurns(
  id: string,
  turns: readonly ConversationTurn[],
  key: string,
): Promise<Chat> {
  return request("PATCH", pathTo("chats"), {
    body: { id, messages: turns },
    headers: { "Idempotency-Key": key },
  });
}

/** The chat that a sentence asks for, by its meaning, or those that it may mean. */
export function searchChats(sentence: string, signal?: AbortSignal): Promise<FoundChats> {
  return request("GET", pathTo("chats"), { query: { search: sentence }, signal });
}

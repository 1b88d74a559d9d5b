import { apiPath, request } from "./client";
import type { Hit, Switched } from "./types";

/** Finds the conversation that a sentence refers to, or the candidates if it is ambiguous. */
export function findConversation(sentence: string, signal?: AbortSignal): Promise<Switched> {
  return request("GET", apiPath("switch"), { query: { q: sentence }, signal });
}

/** Searches messages, conversations or memories; best match first. */
export function search(
  q: string,
  kind: Hit["kind"] = "messages",
  signal?: AbortSignal,
  limit: number | null = null,
): Promise<{ items: readonly Hit[] }> {
  return request("GET", apiPath("search"), { query: { q, kind, limit }, signal });
}

import { pathTo, request } from "./client";
import type { Hit, Switched } from "./types";

/** The conversation that a sentence asks for, or those that it may mean. */
export function findConversation(sentence: string, signal?: AbortSignal): Promise<Switched> {
  return request("GET", pathTo("switch"), { query: { q: sentence }, signal });
}

/** What was said, which conversations, or which memories: best first. */
export function search(
  q: string,
  kind: Hit["kind"] = "messages",
  signal?: AbortSignal,
): Promise<{ items: readonly Hit[] }> {
  return request("GET", pathTo("search"), { query: { q, kind }, signal });
}

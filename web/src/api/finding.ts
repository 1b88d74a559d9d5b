import { pathTo, request } from "./client";
import type { Switched } from "./types";

/** The conversation that a sentence asks for, or those that it may mean. */
export function findConversation(sentence: string, signal?: AbortSignal): Promise<Switched> {
  return request("GET", pathTo("switch"), { query: { q: sentence }, signal });
}

import { pathTo, request } from "./client";
import type { ApiKey, NewApiKey, Page } from "./types";

export function listKeys(cursor: string | null, signal?: AbortSignal): Promise<Page<ApiKey>> {
  return request("GET", pathTo("keys"), { query: { cursor }, signal });
}

/** The answer has the key itself, which is shown this once. */
export function createKey(userId: string, isAdmin: boolean): Promise<NewApiKey> {
  return request("POST", pathTo("keys"), { body: { user_id: userId, is_admin: isAdmin } });
}

export function revokeKey(id: string): Promise<void> {
  return request("DELETE", pathTo("keys", id));
}

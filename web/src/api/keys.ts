import { apiPath, request } from "./client";
import type { ApiKey, NewApiKey, Page } from "./types";

export function listKeys(cursor: string | null, signal?: AbortSignal): Promise<Page<ApiKey>> {
  return request("GET", apiPath("keys"), { query: { cursor }, signal });
}

/** Creates a key. Only this response contains the key itself. */
export function createKey(userId: string, isAdmin: boolean): Promise<NewApiKey> {
  return request("POST", apiPath("keys"), { body: { user_id: userId, is_admin: isAdmin } });
}

export function revokeKey(id: string): Promise<void> {
  return request("DELETE", apiPath("keys", id));
}

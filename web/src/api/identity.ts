import { request } from "./client";
import type { Me } from "./types";

export function getMe(signal?: AbortSignal): Promise<Me> {
  return request("GET", "/api/me", { signal });
}

export function signIn(key: string): Promise<unknown> {
  return request("POST", "/api/session", { body: { key } });
}

export function signOut(): Promise<unknown> {
  return request("DELETE", "/api/session");
}

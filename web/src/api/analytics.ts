import { apiPath, request } from "./client";
import type { Analytics } from "./types";

/** Returns token savings and costs of one conversation, or of all of them. */
export function getAnalytics(conversationId: string | null, signal?: AbortSignal): Promise<Analytics> {
  const path =
    conversationId === null
      ? apiPath("analytics")
      : apiPath("conversations", conversationId, "analytics");
  return request("GET", path, { signal });
}

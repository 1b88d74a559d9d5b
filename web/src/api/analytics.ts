import { pathTo, request } from "./client";
import type { Analytics } from "./types";

/** What memory saves and costs: of one conversation, or of all. */
export function getAnalytics(conversationId: string | null, signal?: AbortSignal): Promise<Analytics> {
  const path =
    conversationId === null
      ? pathTo("analytics")
      : pathTo("conversations", conversationId, "analytics");
  return request("GET", path, { signal });
}

import { apiPath, request } from "./client";
import type { ModelVariant } from "./types";

export function listModels(
  signal?: AbortSignal,
): Promise<{ items: readonly ModelVariant[]; default: string | null }> {
  return request("GET", apiPath("models"), { signal });
}

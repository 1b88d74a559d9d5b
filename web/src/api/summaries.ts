import { apiPath, request } from "./client";
import type { Page, Summary, SummaryWithCoverage } from "./types";

const path = (id: string, ...more: string[]) => apiPath("conversations", id, "summary", ...more);

export function getSummary(id: string, signal?: AbortSignal): Promise<SummaryWithCoverage> {
  return request("GET", path(id), { signal });
}

/** Saves an edited summary; 409 if `version` is no longer current. */
export function editSummary(id: string, text: string, version: number): Promise<Summary> {
  return request("PUT", path(id), { body: { text, version } });
}

export function listSummaryVersions(
  id: string,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Page<Summary>> {
  return request("GET", path(id, "versions"), { query: { cursor }, signal });
}

export function rollbackSummary(id: string, version: number): Promise<Summary> {
  return request("POST", path(id, "rollback"), { body: { version } });
}

export function rebuildSummary(id: string): Promise<Summary> {
  return request("POST", path(id, "rebuild"), { body: {} });
}

export function compact(
  id: string,
): Promise<{ compacted: boolean; reason: string; summary: Summary }> {
  return request("POST", apiPath("conversations", id, "compact"), { body: { force: true } });
}

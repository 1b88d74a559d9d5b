import { apiPath, request } from "./client";
import type { Job, Page } from "./types";

export function listJobs(
  state: Job["state"] | "",
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Page<Job>> {
  return request("GET", apiPath("jobs"), { query: { state, cursor }, signal });
}

export function retryJob(id: string): Promise<Job> {
  return request("POST", apiPath("jobs", id, "retry"), { body: {} });
}

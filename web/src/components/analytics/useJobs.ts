import { useCallback } from "react";
import { listJobs } from "../../api/jobs";
import type { Job, Page } from "../../api/types";
import { useInterval } from "../../hooks/useInterval";
import { useResource, type Resource } from "../../hooks/useResource";

export type JobsByState = Record<"failed" | "running" | "waiting", Page<Job>>;

const BUSY_POLL_MS = 3_000;
const POLL_MS = 30_000;

async function load(signal: AbortSignal): Promise<JobsByState> {
  const [failed, running, waiting] = await Promise.all([
    listJobs("failed", null, signal),
    listJobs("running", null, signal),
    listJobs("waiting", null, signal),
  ]);
  return { failed, running, waiting };
}

/** Open and failed jobs; polls faster while jobs are running. */
export function useJobs(): Resource<JobsByState> {
  const jobs = useResource(load);
  const { value, error, isLoading, reload } = jobs;
  const isBusy = value !== null && value.running.items.length + value.waiting.items.length > 0;

  const poll = useCallback(() => {
    if (!isLoading) reload();
  }, [isLoading, reload]);
  useInterval(isBusy && !error ? BUSY_POLL_MS : POLL_MS, poll);

  return jobs;
}

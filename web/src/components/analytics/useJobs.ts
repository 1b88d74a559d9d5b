import { useCallback } from "react";
import { listJobs } from "../../api/jobs";
import type { Job, Page } from "../../api/types";
import { useEvery } from "../../hooks/useEvery";
import { useResource, type Resource } from "../../hooks/useResource";

export type Owed = Record<"failed" | "running" | "waiting", Page<Job>>;

const soon = 3_000;
const later = 30_000;

async function load(signal: AbortSignal): Promise<Owed> {
  const [failed, running, waiting] = await Promise.all([
    listJobs("failed", null, signal),
    listJobs("running", null, signal),
    listJobs("waiting", null, signal),
  ]);
  return { failed, running, waiting };
}

/** What is owed and what failed; looked at again every few seconds while something is under way. */
export function useJobs(): Resource<Owed> {
  const jobs = useResource(load);
  const { value, error, isLoading, reload } = jobs;
  const isUnderWay = value !== null && value.running.items.length + value.waiting.items.length > 0;

  const look = useCallback(() => {
    if (!isLoading) reload();
  }, [isLoading, reload]);
  useEvery(isUnderWay && !error ? soon : later, look);

  return jobs;
}

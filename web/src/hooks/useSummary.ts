import { useCallback, useEffect, useState } from "react";
import type { DataChange } from "../api/dataChanges";
import { getSummary } from "../api/summaries";
import type { SummaryWithCoverage } from "../api/types";
import { useDataChange } from "./useDataChange";
import { useInterval } from "./useInterval";
import { useResource, type Resource } from "./useResource";
import { useWindowFocus } from "./useWindowFocus";

/** Reloads after a change, because a background job may update the summary. */
const RELOAD_DELAYS_MS = [2_000, 5_000];
const POLL_MS = 10_000;

/** The current summary of a conversation; version 0 if there is none. */
export function useSummary(conversationId: string | null): Resource<SummaryWithCoverage> {
  const load = useCallback(
    async (signal: AbortSignal) =>
      conversationId === null ? null : getSummary(conversationId, signal),
    [conversationId],
  );
  const resource = useResource(load);
  const { reload } = resource;
  const [changes, setChanges] = useState(0);

  useWindowFocus(reload);
  useInterval(POLL_MS, reload);
  useDataChange(
    useCallback(
      (change: DataChange) => {
        if (change.kind !== "conversation" || change.id !== conversationId) return;
        reload();
        setChanges((old) => old + 1);
      },
      [conversationId, reload],
    ),
  );
  useEffect(() => {
    const timers = RELOAD_DELAYS_MS.map((delay) => window.setTimeout(reload, delay));
    return () => timers.forEach((timer) => window.clearTimeout(timer));
  }, [conversationId, changes, reload]);

  return resource;
}

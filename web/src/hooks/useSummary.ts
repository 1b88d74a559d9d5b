import { useCallback, useEffect, useState } from "react";
import type { Change } from "../api/changes";
import { getSummary } from "../api/summaries";
import type { SummaryWithCoverage } from "../api/types";
import { useChange } from "./useChange";
import { useEvery } from "./useEvery";
import { useResource, type Resource } from "./useResource";
import { useReturn } from "./useReturn";

/** When to look again after a change: a digest in the background may have followed it by then. */
const looksAgain = [2_000, 5_000];
/** And how often after that. */
const calm = 10_000;

/** A conversation's current summary; version 0 where there is none yet. */
export function useSummary(conversationId: string | null): Resource<SummaryWithCoverage> {
  const load = useCallback(
    async (signal: AbortSignal) =>
      conversationId === null ? null : getSummary(conversationId, signal),
    [conversationId],
  );
  const resource = useResource(load);
  const { reload } = resource;
  const [changes, setChanges] = useState(0);

  useReturn(reload);
  useEvery(calm, reload);
  useChange(
    useCallback(
      (change: Change) => {
        if (change.kind !== "conversation" || change.id !== conversationId) return;
        reload();
        setChanges((old) => old + 1);
      },
      [conversationId, reload],
    ),
  );
  // One that was just opened may have just begun.
  useEffect(() => {
    const timers = looksAgain.map((delay) => window.setTimeout(reload, delay));
    return () => timers.forEach((timer) => window.clearTimeout(timer));
  }, [conversationId, changes, reload]);

  return resource;
}

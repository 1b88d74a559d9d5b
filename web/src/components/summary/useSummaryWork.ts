import { useState } from "react";
import { announce } from "../../api/changes";
import { ApiError } from "../../api/error";
import { compact, rebuildSummary, rollbackSummary } from "../../api/summaries";
import type { Summary, SummaryWithCoverage } from "../../api/types";
import type { Resource } from "../../hooks/useResource";
import { useToasts } from "../../hooks/useToasts";
import { useSpeech, useTexts } from "../../texts/texts";
import { texts as summaryTexts } from "./texts";

export type Task = "summarize" | "rebuild" | "restore";

export interface SummaryWork {
  /** What is being done now; one thing at a time. */
  busy: Task | null;
  failure: { error: ApiError; retry: () => void } | null;
  summarize: () => void;
  rebuild: () => void;
  restore: (version: number) => void;
  /** Shows a version that was just made, and tells the other parts of the page. */
  take: (summary: Summary) => void;
}

/** The long ways to another version. Each may take as long as a model does. */
export function useSummaryWork(
  conversationId: string,
  resource: Resource<SummaryWithCoverage>,
): SummaryWork {
  const texts = useTexts(summaryTexts);
  const { locale } = useSpeech();
  const tell = useToasts();
  const [busy, setBusy] = useState<Task | null>(null);
  const [failure, setFailure] = useState<SummaryWork["failure"]>(null);

  const take = (summary: Summary) => {
    const { last_message_id = null, last_summarized_message_id = null } = resource.value ?? {};
    resource.set({ last_message_id, last_summarized_message_id, ...summary });
    announce({ kind: "conversation", id: conversationId });
  };

  const perform = async (task: Task, doIt: () => Promise<{ summary: Summary; words: string }>) => {
    if (busy) return;
    setBusy(task);
    setFailure(null);
    try {
      const { summary, words } = await doIt();
      take(summary);
      tell({ text: words });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure({ error, retry: () => void perform(task, doIt) });
    } finally {
      setBusy(null);
    }
  };

  return {
    busy,
    failure,
    take,
    summarize: () =>
      void perform("summarize", async () => {
        const { summary, reason } = await compact(conversationId);
        return { summary, words: texts.reasons(reason, locale) };
      }),
    rebuild: () =>
      void perform("rebuild", async () => {
        const summary = await rebuildSummary(conversationId);
        return { summary, words: texts.rebuilt(summary.version.toLocaleString(locale)) };
      }),
    restore: (version) =>
      void perform("restore", async () => {
        const summary = await rollbackSummary(conversationId, version);
        return { summary, words: texts.restored(version.toLocaleString(locale)) };
      }),
  };
}

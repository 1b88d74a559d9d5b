import { useState } from "react";
import { announce } from "../../api/changes";
import type { ApiError } from "../../api/error";
import { compact, rebuildSummary, rollbackSummary } from "../../api/summaries";
import type { Summary, SummaryWithCoverage } from "../../api/types";
import type { Resource } from "../../hooks/useResource";
import { useSaving } from "../../hooks/useSaving";
import { useToasts } from "../../hooks/useToasts";
import { useSpeech, useTexts } from "../../texts/texts";
import { texts as summaryTexts } from "./texts";

interface Task {
  kind: "summarize" | "rebuild" | "restore";
  perform: () => Promise<{ summary: Summary; words: string }>;
}

export interface SummaryWork {
  /** What is being done now; one thing at a time. */
  busy: Task["kind"] | null;
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
  const [last, setLast] = useState<Task | null>(null);

  const take = (summary: Summary) => {
    const { last_message_id = null, last_summarized_message_id = null } = resource.value ?? {};
    resource.set({ last_message_id, last_summarized_message_id, ...summary });
    announce({ kind: "conversation", id: conversationId });
  };

  const { isSaving, error, save } = useSaving(async (task: Task) => {
    setLast(task);
    const { summary, words } = await task.perform();
    take(summary);
    tell({ text: words });
  });
  const begin = (kind: Task["kind"], perform: Task["perform"]) => void save({ kind, perform });

  return {
    busy: isSaving && last ? last.kind : null,
    failure: error && last && { error, retry: () => void save(last) },
    take,
    summarize: () =>
      begin("summarize", async () => {
        const { summary, reason } = await compact(conversationId);
        return { summary, words: texts.reasons(reason, locale) };
      }),
    rebuild: () =>
      begin("rebuild", async () => {
        const summary = await rebuildSummary(conversationId);
        return { summary, words: texts.rebuilt(summary.version.toLocaleString(locale)) };
      }),
    restore: (version) =>
      begin("restore", async () => {
        const summary = await rollbackSummary(conversationId, version);
        return { summary, words: texts.restored(version.toLocaleString(locale)) };
      }),
  };
}

import { useState } from "react";
import { publishChange } from "../../api/dataChanges";
import type { ApiError } from "../../api/error";
import { compact, rebuildSummary, rollbackSummary } from "../../api/summaries";
import type { Summary, SummaryWithCoverage } from "../../api/types";
import { useMutation } from "../../hooks/useMutation";
import type { Resource } from "../../hooks/useResource";
import { useToast } from "../../hooks/useToast";
import { useLocale } from "../../i18n/i18n";
import { useSummaryTexts } from "./texts";

interface Task {
  kind: "summarize" | "rebuild" | "restore";
  perform: () => Promise<{ summary: Summary; message: string }>;
}

export interface SummaryTasks {
  /** The running task; only one at a time. */
  busy: Task["kind"] | null;
  failure: { error: ApiError; retry: () => void } | null;
  summarize: () => void;
  rebuild: () => void;
  restore: (version: number) => void;
  /** Shows a new version and notifies other components. */
  applyVersion: (summary: Summary) => void;
}

/** Tasks that create a new version; they may wait for a model. */
export function useSummaryTasks(
  conversationId: string,
  resource: Resource<SummaryWithCoverage>,
): SummaryTasks {
  const texts = useSummaryTexts();
  const { locale } = useLocale();
  const showToast = useToast();
  const [last, setLast] = useState<Task | null>(null);

  const applyVersion = (summary: Summary) => {
    const { last_message_id = null, last_summarized_message_id = null } = resource.value ?? {};
    resource.set({ last_message_id, last_summarized_message_id, ...summary });
    publishChange({ kind: "conversation", id: conversationId });
  };

  const { isPending, error, mutate } = useMutation(async (task: Task) => {
    setLast(task);
    const { summary, message } = await task.perform();
    applyVersion(summary);
    showToast({ text: message });
  });
  const run = (kind: Task["kind"], perform: Task["perform"]) => void mutate({ kind, perform });

  return {
    busy: isPending && last ? last.kind : null,
    failure: error && last && { error, retry: () => void mutate(last) },
    applyVersion,
    summarize: () =>
      run("summarize", async () => {
        const { summary, reason } = await compact(conversationId);
        return { summary, message: texts.reasons(reason, locale) };
      }),
    rebuild: () =>
      run("rebuild", async () => {
        const summary = await rebuildSummary(conversationId);
        return { summary, message: texts.rebuilt(summary.version.toLocaleString(locale)) };
      }),
    restore: (version) =>
      run("restore", async () => {
        const summary = await rollbackSummary(conversationId, version);
        return { summary, message: texts.restored(version.toLocaleString(locale)) };
      }),
  };
}

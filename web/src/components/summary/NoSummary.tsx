import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { useSummaryTexts } from "./texts";
import type { SummaryTasks } from "./useSummaryTasks";

interface Props {
  /** Null while the conversation is loading. */
  policy: string | null;
  /** Null without a conversation. */
  tasks: SummaryTasks | null;
}

export function NoSummary({ policy, tasks }: Props) {
  const texts = useSummaryTexts();
  const isAutomatic = policy !== "ephemeral";
  const hint = isAutomatic ? (texts.automatic[policy ?? ""] ?? texts.automaticUnknown) : texts.never;
  return (
    <EmptyState isInline title={texts.none} hints={[hint]}>
      {tasks && isAutomatic && (
        <Button aria-disabled={tasks.busy !== null} onClick={tasks.summarize}>
          {texts.summarize}
        </Button>
      )}
    </EmptyState>
  );
}

import { useEffect, useRef } from "react";
import type { Chat } from "../../hooks/useChat";
import { useSummary } from "../../hooks/useSummary";
import { ErrorMessage } from "../ui/ErrorMessage";
import { Loading } from "../ui/Loading";
import { NoSummary } from "./NoSummary";
import { SummaryView } from "./SummaryView";
import { TaskStatus } from "./TaskStatus";
import { useSummaryTexts } from "./texts";
import { useSummaryTasks } from "./useSummaryTasks";
import { VersionList } from "./VersionList";

export default function SummaryPanel({ chat }: { chat: Chat }) {
  const id = chat.conversationId;
  const policy = chat.conversation?.policy ?? null;
  if (id === null) return <NoSummary policy={policy} tasks={null} />;
  return <ConversationSummary key={id} conversationId={id} policy={policy} />;
}

interface Props {
  conversationId: string;
  policy: string | null;
}

function ConversationSummary({ conversationId, policy }: Props) {
  const texts = useSummaryTexts();
  const resource = useSummary(conversationId);
  const tasks = useSummaryTasks(conversationId, resource);
  const { value: summary, error, reload } = resource;

  // Take over the focus of a button that disappeared when its task was done.
  const box = useRef<HTMLDivElement>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    if (wasBusy.current && tasks.busy === null && isLost) box.current?.focus();
    wasBusy.current = tasks.busy !== null;
  }, [tasks.busy]);

  if (summary === null) {
    return error ? <ErrorMessage error={error} onRetry={reload} /> : <Loading />;
  }
  return (
    <div ref={box} className="summary" role="group" aria-label={texts.summaryText} tabIndex={-1}>
      <TaskStatus tasks={tasks} />
      {summary.version === 0 ? (
        <NoSummary policy={policy} tasks={tasks} />
      ) : (
        <SummaryView summary={summary} policy={policy} tasks={tasks} />
      )}
      <VersionList summary={summary} tasks={tasks} />
    </div>
  );
}

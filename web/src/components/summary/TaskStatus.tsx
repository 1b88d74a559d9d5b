import { ErrorMessage } from "../ui/ErrorMessage";
import { LoadingDots } from "../ui/Loading";
import { useSummaryTexts } from "./texts";
import type { SummaryTasks } from "./useSummaryTasks";

export function TaskStatus({ tasks }: { tasks: SummaryTasks }) {
  const texts = useSummaryTexts();
  const labels = { summarize: texts.summarizing, rebuild: texts.rebuilding, restore: texts.restoring };
  return (
    <>
      <div role="status">
        {tasks.busy && (
          <div className="summary-busy">
            <LoadingDots />
            <p>
              <strong>{labels[tasks.busy]}</strong> {tasks.busy !== "restore" && texts.takesAWhile}
            </p>
          </div>
        )}
      </div>
      {tasks.failure && <ErrorMessage error={tasks.failure.error} onRetry={tasks.failure.retry} />}
    </>
  );
}

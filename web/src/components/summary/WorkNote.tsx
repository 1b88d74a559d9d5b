import { useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { texts as summaryTexts } from "./texts";
import type { SummaryWork } from "./useSummaryWork";

/** Says what is being done to the summary, and what came of it when it failed. */
export function WorkNote({ work }: { work: SummaryWork }) {
  const texts = useTexts(summaryTexts);
  const words = { summarize: texts.summarizing, rebuild: texts.rebuilding, restore: texts.restoring };
  return (
    <>
      <div role="status">
        {work.busy && (
          <div className="summary-busy">
            <span className="loading-dots" aria-hidden="true">
              <i />
              <i />
              <i />
            </span>
            <p>
              <strong>{words[work.busy]}</strong> {work.busy !== "restore" && texts.takesAWhile}
            </p>
          </div>
        )}
      </div>
      {work.failure && <ErrorNote error={work.failure.error} onRetry={work.failure.retry} />}
    </>
  );
}

import { useTexts } from "../../texts/texts";
import { Nothing } from "../ui/Nothing";
import { texts as summaryTexts } from "./texts";
import type { SummaryWork } from "./useSummaryWork";

interface Props {
  /** None while the conversation is not known yet. */
  policy: string | null;
  /** None where there is no conversation to work on. */
  work: SummaryWork | null;
}

/** When a summary comes by itself depends on the policy; there is no need to wait for it. */
export function NoSummary({ policy, work }: Props) {
  const texts = useTexts(summaryTexts);
  const isNever = policy === "ephemeral";
  const hint = isNever ? texts.neverByItself : (texts.byItself[policy ?? ""] ?? texts.byItselfUnknown);
  return (
    <Nothing isPart title={texts.none} hints={[hint]}>
      {work && !isNever && (
        <button
          type="button"
          className="button"
          aria-disabled={work.busy !== null}
          onClick={work.summarize}
        >
          {texts.summarize}
        </button>
      )}
    </Nothing>
  );
}

import { useEffect, useRef, useState } from "react";
import type { SummaryWithCoverage } from "../../api/types";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { Confirm } from "../ui/Confirm";
import { CopyButton } from "../ui/CopyButton";
import { Menu, type MenuItem } from "../ui/Menu";
import { draftOf } from "./drafts";
import { EditSummary } from "./EditSummary";
import { Facts } from "./Facts";
import { Ledger } from "./Ledger";
import { texts as summaryTexts } from "./texts";
import type { SummaryWork } from "./useSummaryWork";

interface Props {
  summary: SummaryWithCoverage;
  policy: string | null;
  work: SummaryWork;
}

export function SummaryView({ summary, policy, work }: Props) {
  const texts = useTexts(summaryTexts);
  const { edit } = useTexts(common);
  const [isEditing, setEditing] = useState(() => draftOf(summary.conversation_id) !== null);
  const [isAsking, setAsking] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(isEditing);

  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  const isBusy = work.busy !== null;
  const items: MenuItem[] = [
    { label: texts.rebuild, icon: "refresh", onSelect: () => !isBusy && setAsking(true) },
  ];
  if (policy !== "ephemeral") {
    items.unshift({ label: texts.summarizeMore, icon: "summary", onSelect: work.summarize });
  }

  return (
    <>
      <section className="summary-current" aria-label={texts.summaryText}>
        <Facts summary={summary} />
        {isEditing ? (
          <EditSummary summary={summary} onSaved={work.take} onClose={() => setEditing(false)} />
        ) : (
          <>
            <p className="summary-text">{summary.text}</p>
            <div className="summary-actions">
              <button
                ref={editButton}
                type="button"
                className="button small"
                onClick={() => setEditing(true)}
              >
                {edit}
              </button>
              <CopyButton text={summary.text} />
              <Menu label={texts.options} items={items} />
            </div>
          </>
        )}
      </section>
      <Ledger summary={summary} />
      {isAsking && (
        <Confirm
          title={texts.rebuild}
          text={`${texts.rebuildConfirm} ${texts.takesAWhile}`}
          confirm={texts.rebuild}
          onConfirm={work.rebuild}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

import { useEffect, useRef, useState } from "react";
import type { SummaryWithCoverage } from "../../api/types";
import { useCommonTexts } from "../../i18n/common";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { CopyButton } from "../ui/CopyButton";
import { Menu, type MenuItem } from "../ui/Menu";
import { EditSummary, hasDraft } from "./EditSummary";
import { ExactValues } from "./ExactValues";
import { SummaryMeta } from "./SummaryMeta";
import { useSummaryTexts } from "./texts";
import type { SummaryTasks } from "./useSummaryTasks";

interface Props {
  summary: SummaryWithCoverage;
  policy: string | null;
  tasks: SummaryTasks;
}

export function SummaryView({ summary, policy, tasks }: Props) {
  const texts = useSummaryTexts();
  const { edit } = useCommonTexts();
  const [isEditing, setEditing] = useState(() => hasDraft(summary.conversation_id));
  const [isConfirming, setConfirming] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(isEditing);

  useEffect(() => {
    if (wasEditing.current && !isEditing) editButton.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  const isBusy = tasks.busy !== null;
  const items: MenuItem[] = [
    { label: texts.rebuild, icon: "refresh", onSelect: () => !isBusy && setConfirming(true) },
  ];
  if (policy !== "ephemeral") {
    items.unshift({ label: texts.summarizeMore, icon: "summary", onSelect: tasks.summarize });
  }

  return (
    <>
      <section className="summary-current" aria-label={texts.summaryText}>
        <SummaryMeta summary={summary} />
        {isEditing ? (
          <EditSummary summary={summary} onSaved={tasks.applyVersion} onClose={() => setEditing(false)} />
        ) : (
          <>
            <p className="summary-text">{summary.text}</p>
            <div className="summary-actions">
              <Button ref={editButton} className="small" onClick={() => setEditing(true)}>
                {edit}
              </Button>
              <CopyButton text={summary.text} />
              <Menu label={texts.options} items={items} />
            </div>
          </>
        )}
      </section>
      <ExactValues summary={summary} />
      {isConfirming && (
        <ConfirmDialog
          title={texts.rebuild}
          text={`${texts.rebuildConfirm} ${texts.takesAWhile}`}
          confirm={texts.rebuild}
          onConfirm={tasks.rebuild}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}

import { useState } from "react";
import type { Summary } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { compareValues, isUnchanged } from "../../model/summaryDiff";
import { Button } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { DiffText } from "./DiffText";
import { useSummaryTexts } from "./texts";
import type { SummaryTasks } from "./useSummaryTasks";
import { useWordDiff } from "./useWordDiff";

interface Props {
  version: Summary;
  before: Summary | null;
  isFirst: boolean;
  current: Summary;
  isCurrent: boolean;
  tasks: SummaryTasks;
}

/** Compares a version with another one, and restores it. */
export function VersionDetails({ version, before, isFirst, current, isCurrent, tasks }: Props) {
  const texts = useSummaryTexts();
  const { locale } = useLocale();
  const [base, setBase] = useState<"before" | "current">(before ? "before" : "current");
  const [isConfirming, setConfirming] = useState(false);
  const other = (base === "before" ? before : current) ?? version;
  const hasChoice = before !== null && !isCurrent;
  const parts = useWordDiff(other.text, version.text);
  const values = compareValues(other.ledger, version.ledger);
  const isSame = parts !== null && isUnchanged(parts);

  return (
    <>
      {hasChoice && (
        <label className="field">
          <span>{texts.compareWith}</span>
          <select
            value={base}
            onChange={(event) => setBase(event.target.value as "before" | "current")}
          >
            <option value="before">{texts.before}</option>
            <option value="current">{texts.theCurrent}</option>
          </select>
        </label>
      )}
      {!hasChoice && !isCurrent && <p className="hint">{texts.comparedWithCurrent}</p>}
      {isFirst && isCurrent ? (
        <p className="hint">{texts.first}</p>
      ) : (
        isSame && <p className="hint">{texts.sameText}</p>
      )}
      <DiffText parts={parts} />
      <ValueList title={texts.valuesAdded} values={values.added} mark="ins" />
      <ValueList title={texts.valuesRemoved} values={values.removed} mark="del" />
      {!isCurrent && (
        <div className="actions">
          <Button
            className="small"
            aria-disabled={tasks.busy !== null}
            onClick={() => tasks.busy === null && setConfirming(true)}
          >
            {texts.restore}
          </Button>
        </div>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={texts.restore}
          text={texts.restoreConfirm(version.version.toLocaleString(locale))}
          confirm={texts.restore}
          onConfirm={() => tasks.restore(version.version)}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}

interface ValueListProps {
  title: string;
  values: readonly string[];
  mark: "ins" | "del";
}

function ValueList({ title, values, mark: Mark }: ValueListProps) {
  if (values.length === 0) return null;
  return (
    <div className="value-list">
      <h3>{title}</h3>
      <ul>
        {values.map((value) => (
          <li key={value}>
            <Mark>{value}</Mark>
          </li>
        ))}
      </ul>
    </div>
  );
}

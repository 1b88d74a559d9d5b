import { useState } from "react";
import type { Summary } from "../../api/types";
import { compareValues, isUnchanged } from "../../model/summary";
import { useSpeech, useTexts } from "../../texts/texts";
import { Confirm } from "../ui/Confirm";
import { DiffText } from "./DiffText";
import { texts as summaryTexts } from "./texts";
import type { SummaryWork } from "./useSummaryWork";
import { useWordDiff } from "./useWordDiff";
import { ValueList } from "./ValueList";

interface Props {
  version: Summary;
  before: Summary | null;
  isFirst: boolean;
  current: Summary;
  isCurrent: boolean;
  work: SummaryWork;
}

/** What a version says that another one does not, and the way back to it. */
export function VersionDetails({ version, before, isFirst, current, isCurrent, work }: Props) {
  const texts = useTexts(summaryTexts);
  const { locale } = useSpeech();
  const [wanted, setWanted] = useState<"before" | "current">(before ? "before" : "current");
  const [isAsking, setAsking] = useState(false);
  // With the first one there is nothing to compare but what came later.
  const other = (wanted === "before" ? before : current) ?? version;
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
            value={wanted}
            onChange={(event) => setWanted(event.target.value as "before" | "current")}
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
          <button
            type="button"
            className="button small"
            aria-disabled={work.busy !== null}
            onClick={() => work.busy === null && setAsking(true)}
          >
            {texts.restore}
          </button>
        </div>
      )}
      {isAsking && (
        <Confirm
          title={texts.restore}
          text={texts.restoreConfirm(version.version.toLocaleString(locale))}
          confirm={texts.restore}
          onConfirm={() => work.restore(version.version)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

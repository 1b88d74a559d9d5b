import type { ReactNode } from "react";
import type { Analytics } from "../../api/types";
import { percent, shortNumber, wholeNumber } from "../../model/amounts";
import { shareOf } from "../../model/savings";
import { useSpeech, useTexts } from "../../texts/texts";
import { Satisfaction } from "./Satisfaction";
import { texts as analyticsTexts } from "./texts";

/** The few numbers that say it all. */
export function Figures({ report }: { report: Analytics }) {
  const texts = useTexts(analyticsTexts);
  const { locale } = useSpeech();
  const saved = report.net_saved_tokens;
  const share = shareOf(saved, report.full_history_tokens);

  return (
    <dl className="figures">
      <Figure
        label={texts.saved}
        value={<span title={wholeNumber(saved, locale)}>{shortNumber(saved, locale)}</span>}
        note={
          saved < 0
            ? texts.savedNegative
            : share !== null && texts.savedShare(percent(share, locale))
        }
      />
      <Figure
        label={texts.facts}
        value={report.fact_survival === null ? "–" : percent(report.fact_survival, locale)}
        note={report.fact_survival === null ? texts.factsNone : texts.factsHint}
      />
      <Figure
        label={texts.compactions}
        value={wholeNumber(report.compactions, locale)}
        note={texts.digestCost(shortNumber(report.digest_tokens, locale))}
      />
      <Satisfaction feedback={report.feedback} />
    </dl>
  );
}

interface FigureProps {
  label: string;
  value: ReactNode;
  note: ReactNode;
}

function Figure({ label, value, note }: FigureProps) {
  return (
    <div className="figure box">
      <dt>{label}</dt>
      <dd>
        <span className="figure-value">{value}</span>
        {note && <span className="hint">{note}</span>}
      </dd>
    </div>
  );
}

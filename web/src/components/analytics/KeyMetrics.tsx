import type { ReactNode } from "react";
import type { Analytics } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { formatPercent, formatCompact, formatNumber } from "../../model/numberFormat";
import { ratio } from "../../model/savings";
import { Icon } from "../ui/Icon";
import { useAnalyticsTexts } from "./texts";

export function KeyMetrics({ report }: { report: Analytics }) {
  const texts = useAnalyticsTexts();
  const { locale } = useLocale();
  const saved = report.net_saved_tokens;
  const share = ratio(saved, report.full_history_tokens);

  return (
    <dl className="metrics">
      <Metric
        label={texts.saved}
        value={<span title={formatNumber(saved, locale)}>{formatCompact(saved, locale)}</span>}
        note={
          saved < 0
            ? texts.savedNegative
            : share !== null && texts.savedShare(formatPercent(share, locale))
        }
      />
      <Metric
        label={texts.facts}
        value={report.fact_survival === null ? "–" : formatPercent(report.fact_survival, locale)}
        note={report.fact_survival === null ? texts.factsNone : texts.factsHint}
      />
      <Metric
        label={texts.compactions}
        value={formatNumber(report.compactions, locale)}
        note={texts.digestCost(formatCompact(report.digest_tokens, locale))}
      />
      <PromptCache report={report} />
      <Satisfaction feedback={report.feedback} />
    </dl>
  );
}

interface MetricProps {
  label: string;
  value: ReactNode;
  note: ReactNode;
}

function Metric({ label, value, note }: MetricProps) {
  return (
    <div className="metric box">
      <dt>{label}</dt>
      <dd>
        <span className="metric-value">{value}</span>
        {note && <span className="hint">{note}</span>}
      </dd>
    </div>
  );
}

/** Tokens that the provider read from its cache, and how much of the prompts it could have. */
function PromptCache({ report }: { report: Analytics }) {
  const texts = useAnalyticsTexts();
  const { locale } = useLocale();
  const isReported = report.by_turn.some((answer) => answer.cached_tokens !== null);
  const cached = report.cached_tokens;
  const unchanged = ratio(report.unchanged_tokens, report.context_tokens);

  return (
    <Metric
      label={texts.cached}
      value={
        isReported ? (
          <span title={formatNumber(cached, locale)}>{formatCompact(cached, locale)}</span>
        ) : (
          "–"
        )
      }
      note={unchanged !== null && texts.unchanged(formatPercent(unchanged, locale))}
    />
  );
}

/** Ratings by context mode. */
function Satisfaction({ feedback }: Pick<Analytics, "feedback">) {
  const texts = useAnalyticsTexts();
  const { locale } = useLocale();
  const rated = Object.entries(feedback).filter(([, { up, down }]) => up + down > 0);

  return (
    <div className="metric box">
      <dt>{texts.feedback}</dt>
      {rated.length === 0 && (
        <dd>
          <span className="metric-value">–</span>
          <span className="hint">{texts.feedbackNone}</span>
        </dd>
      )}
      {rated.map(([mode, { up, down }]) => (
        <dd key={mode} className="votes">
          <strong>{formatPercent(ratio(up, up + down) ?? 0, locale)}</strong>
          <span>{texts.feedbackModes[mode] ?? mode}</span>
          <span className="visually-hidden">
            {texts.thumbs(formatNumber(up, locale), formatNumber(down, locale))}
          </span>
          <span className="thumbs" aria-hidden="true">
            <Icon name="thumbUp" /> {formatNumber(up, locale)}
            <Icon name="thumbDown" /> {formatNumber(down, locale)}
          </span>
        </dd>
      ))}
    </div>
  );
}

import { useCallback, useEffect, useMemo, useRef } from "react";
import { getAnalytics } from "../../api/analytics";
import type { Analytics } from "../../api/types";
import { useResource } from "../../hooks/useResource";
import { useReturn } from "../../hooks/useReturn";
import { toPeriods } from "../../model/savings";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { PageFrame } from "../frame/PageFrame";
import { ErrorNote } from "../ui/ErrorNote";
import { Icon } from "../ui/Icon";
import { Link } from "../ui/Link";
import { Loading } from "../ui/Loading";
import { Nothing } from "../ui/Nothing";
import { Figures } from "./Figures";
import { Jobs } from "./Jobs";
import { PeriodChart } from "./PeriodChart";
import { PurposeCosts } from "./PurposeCosts";
import { SavedChart } from "./SavedChart";
import { texts as analyticsTexts } from "./texts";
import { useJobs } from "./useJobs";

const load = (signal: AbortSignal) => getAnalytics(null, signal);

export default function AnalyticsPage() {
  const texts = useTexts(analyticsTexts);
  const { loading } = useTexts(common);
  const report = useResource(load);
  const jobs = useJobs();
  const { value, error, isLoading } = report;

  const refresh = useCallback(() => {
    report.reload();
    jobs.reload();
  }, [report.reload, jobs.reload]);
  useReturn(refresh);

  // Work that is done has changed the figures.
  const owed = jobs.value && jobs.value.running.items.length + jobs.value.waiting.items.length;
  const owedBefore = useRef(owed);
  useEffect(() => {
    if (owed !== null && owedBefore.current !== null && owed < owedBefore.current) report.reload();
    owedBefore.current = owed;
  }, [owed, report.reload]);

  return (
    <PageFrame
      title={texts.title}
      lead={texts.lead}
      actions={
        <button
          type="button"
          className="button quiet"
          aria-disabled={isLoading}
          onClick={isLoading ? undefined : refresh}
        >
          <Icon name="refresh" />
          {texts.refresh}
        </button>
      }
    >
      {error && <ErrorNote error={error} onRetry={report.reload} />}
      {value === null && !error && <Loading label={loading} />}
      {value && (isEmpty(value) ? <NoFigures /> : <Report report={value} />)}
      {(value ?? error) && <Jobs jobs={jobs} />}
    </PageFrame>
  );
}

function Report({ report }: { report: Analytics }) {
  const texts = useTexts(analyticsTexts);
  const { unit, periods } = useMemo(() => toPeriods(report.by_day), [report]);

  return (
    <>
      <Figures report={report} />
      <PeriodChart
        title={texts.tokensChart}
        hint={texts.tokensHint}
        unit={unit}
        periods={periods}
        bars={[
          { key: "full_history_tokens", label: texts.full, colour: 8 },
          { key: "context_tokens", label: texts.sent, colour: 1, stack: "memory" },
          { key: "digest_tokens", label: texts.digest, colour: 2, stack: "memory" },
        ]}
      />
      <div className="chart-pair">
        <SavedChart unit={unit} periods={periods} />
        <PeriodChart
          title={texts.compactionsChart}
          hint={texts.compactionsHint}
          unit={unit}
          periods={periods}
          bars={[{ key: "compactions", label: texts.compactions, colour: 4 }]}
        />
      </div>
      {Object.keys(report.by_purpose).length > 0 && <PurposeCosts costs={report.by_purpose} />}
    </>
  );
}

function NoFigures() {
  const texts = useTexts(analyticsTexts);
  return (
    <Nothing title={texts.emptyTitle} hints={[texts.emptyHint]}>
      <Link className="button primary" href="/">
        {texts.begin}
      </Link>
    </Nothing>
  );
}

function isEmpty({ by_turn, by_purpose, compactions }: Analytics): boolean {
  return by_turn.length === 0 && Object.keys(by_purpose).length === 0 && compactions === 0;
}

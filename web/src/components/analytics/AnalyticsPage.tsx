import { useCallback, useEffect, useMemo, useRef } from "react";
import { getAnalytics } from "../../api/analytics";
import type { Analytics } from "../../api/types";
import { useResource } from "../../hooks/useResource";
import { useWindowFocus } from "../../hooks/useWindowFocus";
import { groupByPeriod } from "../../model/savings";
import { PageLayout } from "../layout/PageLayout";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/EmptyState";
import { ErrorMessage } from "../ui/ErrorMessage";
import { Icon } from "../ui/Icon";
import { Link } from "../ui/Link";
import { Loading } from "../ui/Loading";
import { CostByPurpose } from "./CostByPurpose";
import { Jobs } from "./Jobs";
import { KeyMetrics } from "./KeyMetrics";
import { PeriodChart } from "./PeriodChart";
import { SavingsChart } from "./SavingsChart";
import { useAnalyticsTexts } from "./texts";
import { useJobs } from "./useJobs";

const load = (signal: AbortSignal) => getAnalytics(null, signal);

export default function AnalyticsPage() {
  const texts = useAnalyticsTexts();
  const report = useResource(load);
  const jobs = useJobs();
  const { value, error, isLoading } = report;

  const refresh = useCallback(() => {
    report.reload();
    jobs.reload();
  }, [report.reload, jobs.reload]);
  useWindowFocus(refresh);

  // Finished jobs change the metrics.
  const openJobs = jobs.value && jobs.value.running.items.length + jobs.value.waiting.items.length;
  const previous = useRef(openJobs);
  useEffect(() => {
    if (openJobs !== null && previous.current !== null && openJobs < previous.current) report.reload();
    previous.current = openJobs;
  }, [openJobs, report.reload]);

  return (
    <PageLayout
      title={texts.title}
      subtitle={texts.subtitle}
      actions={
        <Button
          className="quiet"
          aria-disabled={isLoading}
          onClick={isLoading ? undefined : refresh}
        >
          <Icon name="refresh" />
          {texts.refresh}
        </Button>
      }
    >
      {error && <ErrorMessage error={error} onRetry={report.reload} />}
      {value === null && !error && <Loading />}
      {value && (isEmpty(value) ? <NoAnalytics /> : <Report report={value} />)}
      {(value ?? error) && <Jobs jobs={jobs} />}
    </PageLayout>
  );
}

function Report({ report }: { report: Analytics }) {
  const texts = useAnalyticsTexts();
  const { unit, periods } = useMemo(() => groupByPeriod(report.by_day), [report]);

  return (
    <>
      <KeyMetrics report={report} />
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
        <SavingsChart unit={unit} periods={periods} />
        <PeriodChart
          title={texts.compactionsChart}
          hint={texts.compactionsHint}
          unit={unit}
          periods={periods}
          bars={[{ key: "compactions", label: texts.compactions, colour: 4 }]}
        />
      </div>
      {Object.keys(report.by_purpose).length > 0 && <CostByPurpose costs={report.by_purpose} />}
    </>
  );
}

function NoAnalytics() {
  const texts = useAnalyticsTexts();
  return (
    <EmptyState title={texts.emptyTitle} hints={[texts.emptyHint]}>
      <Link className="button primary" href="/">
        {texts.start}
      </Link>
    </EmptyState>
  );
}

function isEmpty({ by_turn, by_purpose, compactions }: Analytics): boolean {
  return by_turn.length === 0 && Object.keys(by_purpose).length === 0 && compactions === 0;
}

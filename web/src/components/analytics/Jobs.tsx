import { useMemo, useRef } from "react";
import type { Resource } from "../../hooks/useResource";
import { useLocale } from "../../i18n/i18n";
import { formatNumber } from "../../model/numberFormat";
import { ErrorMessage } from "../ui/ErrorMessage";
import { Icon } from "../ui/Icon";
import { Loading } from "../ui/Loading";
import { JobItem } from "./JobItem";
import { useAnalyticsTexts } from "./texts";
import type { JobsByState } from "./useJobs";

const states = ["failed", "running", "waiting"] as const;
const MAX_SHOWN = { failed: 50, running: 10, waiting: 5 };

export function Jobs({ jobs }: { jobs: Resource<JobsByState> }) {
  const texts = useAnalyticsTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  const { value, error, reload } = jobs;
  const now = useMemo(() => new Date(), [value]);

  return (
    <section className="box jobs" aria-labelledby="jobs-title">
      <h2 id="jobs-title" ref={heading} tabIndex={-1}>
        {texts.jobs}
      </h2>
      <p className="hint">{texts.jobsHint}</p>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      {value === null && !error && <Loading />}
      {value && states.every((state) => value[state].items.length === 0) && (
        <p className="jobs-done">
          <Icon name="check" />
          {texts.jobsDone}
        </p>
      )}
      {value &&
        states.map((state) => (
          <JobList
            key={state}
            state={state}
            page={value[state]}
            now={now}
            onChange={() => {
              // The focused button may disappear with its job.
              heading.current?.focus();
              reload();
            }}
          />
        ))}
    </section>
  );
}

interface ListProps {
  state: (typeof states)[number];
  page: JobsByState["failed"];
  now: Date;
  onChange: () => void;
}

function JobList({ state, page, now, onChange }: ListProps) {
  const texts = useAnalyticsTexts();
  const { locale } = useLocale();
  const { items, next_cursor } = page;
  if (items.length === 0) return null;
  const shown = items.slice(0, MAX_SHOWN[state]);
  const hidden = items.length - shown.length;
  const orMore = next_cursor === null ? "" : "+";
  const label = texts.jobStates[state];

  return (
    <>
      <h3 data-state={state}>
        {label} <span className="tag">{formatNumber(items.length, locale) + orMore}</span>
      </h3>
      <ul aria-label={label}>
        {shown.map((job) => (
          <JobItem key={job.id} job={job} now={now} onChange={onChange} />
        ))}
      </ul>
      {(hidden > 0 || orMore) && (
        <p className="hint">{texts.moreJobs(formatNumber(hidden, locale) + orMore)}</p>
      )}
    </>
  );
}

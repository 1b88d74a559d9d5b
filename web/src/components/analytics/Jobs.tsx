import { useMemo, useRef } from "react";
import type { Resource } from "../../hooks/useResource";
import { wholeNumber } from "../../model/amounts";
import { common } from "../../texts/common";
import { useSpeech, useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { Icon } from "../ui/Icon";
import { Loading } from "../ui/Loading";
import { JobItem } from "./JobItem";
import { texts as analyticsTexts } from "./texts";
import type { Owed } from "./useJobs";

const states = ["failed", "running", "waiting"] as const;
/** What waits is soon done: a few stand for all. */
const mostShown = { failed: 50, running: 10, waiting: 5 };

export function Jobs({ jobs }: { jobs: Resource<Owed> }) {
  const texts = useTexts(analyticsTexts);
  const { loading } = useTexts(common);
  const heading = useRef<HTMLHeadingElement>(null);
  const { value, error, reload } = jobs;
  const now = useMemo(() => new Date(), [value]);

  return (
    <section className="box jobs" aria-labelledby="jobs-title">
      <h2 id="jobs-title" ref={heading} tabIndex={-1}>
        {texts.jobs}
      </h2>
      <p className="hint">{texts.jobsHint}</p>
      {error && <ErrorNote error={error} onRetry={reload} />}
      {value === null && !error && <Loading label={loading} />}
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
              // The button that was pressed may be gone with its job.
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
  page: Owed["failed"];
  now: Date;
  onChange: () => void;
}

function JobList({ state, page, now, onChange }: ListProps) {
  const texts = useTexts(analyticsTexts);
  const { locale } = useSpeech();
  const { items, next_cursor } = page;
  if (items.length === 0) return null;
  const shown = items.slice(0, mostShown[state]);
  const hidden = items.length - shown.length;
  const orMore = next_cursor === null ? "" : "+";
  const label = texts.jobStates[state];

  return (
    <>
      <h3 data-state={state}>
        {label} <span className="tag">{wholeNumber(items.length, locale) + orMore}</span>
      </h3>
      <ul aria-label={label}>
        {shown.map((job) => (
          <JobItem key={job.id} job={job} now={now} onChange={onChange} />
        ))}
      </ul>
      {(hidden > 0 || orMore) && (
        <p className="hint">{texts.moreJobs(wholeNumber(hidden, locale) + orMore)}</p>
      )}
    </>
  );
}

import { retryJob } from "../../api/jobs";
import type { Job } from "../../api/types";
import { useErrorToast } from "../../hooks/useErrorToast";
import { useMutation } from "../../hooks/useMutation";
import { conversationPath } from "../../hooks/useRoute";
import { useToast } from "../../hooks/useToast";
import { useCommonTexts } from "../../i18n/common";
import { useLocale } from "../../i18n/i18n";
import { timeUntil } from "../../model/dateFormat";
import { Button } from "../ui/Button";
import { Link } from "../ui/Link";
import { useAnalyticsTexts } from "./texts";

interface Props {
  job: Job;
  /** When the jobs were loaded. */
  now: Date;
  onChange: () => void;
}

export function JobItem({ job, now, onChange }: Props) {
  const texts = useAnalyticsTexts();
  const { retry } = useCommonTexts();
  const { locale } = useLocale();
  const showToast = useToast();
  const withErrorToast = useErrorToast();
  const name = texts.jobKinds[job.kind] ?? job.kind;
  const wait = timeUntil(job.run_at, now, locale);

  const send = async () => {
    const { state } = await retryJob(job.id);
    showToast({ text: state === "failed" ? texts.retriedAlready : texts.retried });
  };
  const { isPending, mutate } = useMutation(async () => {
    const error = await withErrorToast(send());
    // Conflict or not found: the job has changed meanwhile.
    if (error === null || error.status === 409 || error.isNotFound) onChange();
  });

  return (
    <li className="job">
      <div className="job-text">
        <p>
          <strong>{name}</strong>
        </p>
        {job.last_error && <p className="job-error">{job.last_error}</p>}
        <p className="meta-list">
          {job.state === "waiting" && <span>{wait ? texts.due(wait) : texts.dueNow}</span>}
          {job.attempts > 0 && <span>{texts.attempts(job.attempts, locale)}</span>}
          {job.conversation_id && (
            <span>
              <Link href={conversationPath(job.conversation_id)}>{texts.openConversation}</Link>
            </span>
          )}
        </p>
      </div>
      {job.state === "failed" && (
        <Button
          className="small"
          aria-label={texts.retryJob(name)}
          aria-disabled={isPending}
          onClick={() => void mutate()}
        >
          {retry}
        </Button>
      )}
    </li>
  );
}

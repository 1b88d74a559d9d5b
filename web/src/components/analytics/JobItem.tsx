import { retryJob } from "../../api/jobs";
import type { Job } from "../../api/types";
import { conversationPath } from "../../hooks/useRoute";
import { useSaving } from "../../hooks/useSaving";
import { useToasts } from "../../hooks/useToasts";
import { useTrying } from "../../hooks/useTrying";
import { timeUntil } from "../../model/moments";
import { common } from "../../texts/common";
import { useSpeech, useTexts } from "../../texts/texts";
import { Link } from "../ui/Link";
import { texts as analyticsTexts } from "./texts";

interface Props {
  job: Job;
  /** When it was looked at. */
  now: Date;
  /** Something about it is not as it was. */
  onChange: () => void;
}

export function JobItem({ job, now, onChange }: Props) {
  const texts = useTexts(analyticsTexts);
  const { retry } = useTexts(common);
  const { locale } = useSpeech();
  const tell = useToasts();
  const trying = useTrying();
  const name = texts.jobKinds[job.kind] ?? job.kind;
  const wait = timeUntil(job.run_at, now, locale);

  const send = async () => {
    const { state } = await retryJob(job.id);
    tell({ text: state === "failed" ? texts.retriedAlready : texts.retried });
  };
  const { isSaving, save } = useSaving(async () => {
    const error = await trying(send());
    // Where somebody else was faster, it is not what is shown here any more either.
    if (error === null || error.status === 409 || error.isNotFound) onChange();
  });

  return (
    <li className="job">
      <div className="job-text">
        <p>
          <strong>{name}</strong>
        </p>
        {job.last_error && <p className="job-error">{job.last_error}</p>}
        <p className="asides">
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
        <button
          type="button"
          className="button small"
          aria-label={texts.retryJob(name)}
          aria-disabled={isSaving}
          onClick={() => void save()}
        >
          {retry}
        </button>
      )}
    </li>
  );
}

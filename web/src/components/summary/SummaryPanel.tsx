import { useEffect, useRef } from "react";
import type { Chat } from "../../hooks/useChat";
import { useSummary } from "../../hooks/useSummary";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { Loading } from "../ui/Loading";
import { NoSummary } from "./NoSummary";
import { SummaryView } from "./SummaryView";
import { texts as summaryTexts } from "./texts";
import { useSummaryWork } from "./useSummaryWork";
import { Versions } from "./Versions";
import { WorkNote } from "./WorkNote";

/** What is remembered of the conversation in place of its older messages; to read and correct. */
export default function SummaryPanel({ chat }: { chat: Chat }) {
  const id = chat.conversationId;
  const policy = chat.conversation?.policy ?? null;
  if (id === null) return <NoSummary policy={policy} work={null} />;
  return <SummaryOf key={id} conversationId={id} policy={policy} />;
}

interface Props {
  conversationId: string;
  policy: string | null;
}

function SummaryOf({ conversationId, policy }: Props) {
  const texts = useTexts(summaryTexts);
  const { loading } = useTexts(common);
  const resource = useSummary(conversationId);
  const work = useSummaryWork(conversationId, resource);
  const { value: summary, error, reload } = resource;

  // A button that is gone after its work leaves the focus here.
  const box = useRef<HTMLDivElement>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    if (wasBusy.current && work.busy === null && isLost) box.current?.focus();
    wasBusy.current = work.busy !== null;
  }, [work.busy]);

  if (summary === null) {
    return error ? <ErrorNote error={error} onRetry={reload} /> : <Loading label={loading} />;
  }
  return (
    <div ref={box} className="summary" role="group" aria-label={texts.summaryText} tabIndex={-1}>
      <WorkNote work={work} />
      {summary.version === 0 ? (
        <NoSummary policy={policy} work={work} />
      ) : (
        <SummaryView summary={summary} policy={policy} work={work} />
      )}
      <Versions summary={summary} work={work} />
    </div>
  );
}

import { useCallback } from "react";
import { getAnalytics } from "../../api/analytics";
import type { Change } from "../../api/changes";
import { useChange } from "../../hooks/useChange";
import { useResource } from "../../hooks/useResource";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { Loading } from "../ui/Loading";
import { AnswersChart } from "./AnswersChart";
import { Figures } from "./Figures";
import { texts as analyticsTexts } from "./texts";

/** What memory saves and costs in one conversation. */
export default function NumbersPanel({ conversationId }: { conversationId: string }) {
  const texts = useTexts(analyticsTexts);
  const { loading } = useTexts(common);
  const load = useCallback(
    (signal: AbortSignal) => getAnalytics(conversationId, signal),
    [conversationId],
  );
  const { value, error, reload } = useResource(load);

  useChange(
    useCallback(
      (change: Change) => {
        if (change.kind === "conversation" && change.id === conversationId) reload();
      },
      [conversationId, reload],
    ),
  );

  return (
    <div className="numbers">
      {error && <ErrorNote error={error} onRetry={reload} />}
      {value === null && !error && <Loading label={loading} />}
      {value && <Figures report={value} />}
      {value &&
        (value.by_turn.length > 0 ? (
          <AnswersChart answers={value.by_turn} />
        ) : (
          <p className="hint">{texts.noAnswers}</p>
        ))}
    </div>
  );
}

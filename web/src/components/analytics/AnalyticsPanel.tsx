import { useCallback } from "react";
import { getAnalytics } from "../../api/analytics";
import type { DataChange } from "../../api/dataChanges";
import { useDataChange } from "../../hooks/useDataChange";
import { useResource } from "../../hooks/useResource";
import { ErrorMessage } from "../ui/ErrorMessage";
import { Loading } from "../ui/Loading";
import { AnswersChart } from "./AnswersChart";
import { KeyMetrics } from "./KeyMetrics";
import { useAnalyticsTexts } from "./texts";

export default function AnalyticsPanel({ conversationId }: { conversationId: string }) {
  const texts = useAnalyticsTexts();
  const load = useCallback(
    (signal: AbortSignal) => getAnalytics(conversationId, signal),
    [conversationId],
  );
  const { value, error, reload } = useResource(load);

  useDataChange(
    useCallback(
      (change: DataChange) => {
        if (change.kind === "conversation" && change.id === conversationId) reload();
      },
      [conversationId, reload],
    ),
  );

  return (
    <div className="analytics-panel">
      {error && <ErrorMessage error={error} onRetry={reload} />}
      {value === null && !error && <Loading />}
      {value && <KeyMetrics report={value} />}
      {value &&
        (value.by_turn.length > 0 ? (
          <AnswersChart answers={value.by_turn} />
        ) : (
          <p className="hint">{texts.noAnswers}</p>
        ))}
    </div>
  );
}

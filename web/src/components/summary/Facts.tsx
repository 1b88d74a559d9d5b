import type { Summary } from "../../api/types";
import { useNow } from "../../hooks/useNow";
import { exactTime, relativeTime } from "../../model/time";
import { useSpeech, useTexts } from "../../texts/texts";
import { MessageLink } from "../receipt/MessageLink";
import { texts as summaryTexts } from "./texts";

/** What the summary covers, and where it comes from. */
export function Facts({ summary }: { summary: Summary }) {
  const texts = useTexts(summaryTexts);
  const { locale } = useSpeech();
  const now = useNow();
  const { through_seq: through, created_at: created } = summary;
  return (
    <header>
      <p>
        {through === 0 ? (
          texts.coversNothing
        ) : (
          <>
            {texts.covers}{" "}
            <MessageLink
              conversationId={summary.conversation_id}
              place={String(through)}
              panel="summary"
            >
              {texts.messages(through.toLocaleString(locale))}
            </MessageLink>
          </>
        )}
      </p>
      <p className="hint">
        <span title={summary.model ?? undefined}>{texts.authors[summary.author]}</span>
        {" · "}
        {texts.version(summary.version.toLocaleString(locale))}
        {" · "}
        {texts.tokens(summary.tokens.toLocaleString(locale))}
        {" · "}
        <time dateTime={created} title={exactTime(created, locale)}>
          {relativeTime(created, now, locale)}
        </time>
      </p>
    </header>
  );
}

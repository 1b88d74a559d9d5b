import type { Summary } from "../../api/types";
import { useNow } from "../../hooks/useNow";
import { useLocale } from "../../i18n/i18n";
import { exactTime, relativeTime } from "../../model/dateFormat";
import { MessageLink } from "../receipt/MessageLink";
import { useSummaryTexts } from "./texts";

export function SummaryMeta({ summary }: { summary: Summary }) {
  const texts = useSummaryTexts();
  const { locale } = useLocale();
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
              anchor={String(through)}
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

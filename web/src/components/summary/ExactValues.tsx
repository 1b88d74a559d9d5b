import type { Summary } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { calendarDay } from "../../model/dateFormat";
import { groupByKind } from "../../model/summaryDiff";
import { MessageLink } from "../receipt/MessageLink";
import { useSummaryTexts } from "./texts";

export function ExactValues({ summary }: { summary: Summary }) {
  const texts = useSummaryTexts();
  const { locale } = useLocale();
  const groups = groupByKind(summary.ledger);
  return (
    <section className="exact-values" aria-labelledby="exact-values-title">
      <h2 id="exact-values-title">{texts.exactValues}</h2>
      <p className="hint">{groups.length === 0 ? texts.noValues : texts.exactValuesHint}</p>
      {groups.map(({ kind, atoms }) => (
        <div key={kind} className="exact-values-kind">
          <h3 id={`exact-values-${kind}`}>{texts.kinds[kind]}</h3>
          <ul aria-labelledby={`exact-values-${kind}`}>
            {atoms.map((atom) => (
              <li key={`${atom.seq} ${atom.value}`}>
                <span>
                  {atom.label && <span className="hint">{atom.label} </span>}
                  <b>{atom.value}</b>
                </span>
                <span className="exact-value-source">
                  {atom.day !== null && `${calendarDay(atom.day, locale)} · `}
                  <MessageLink
                    conversationId={summary.conversation_id}
                    anchor={String(atom.seq)}
                    panel="summary"
                  >
                    {texts.message(atom.seq.toLocaleString(locale))}
                  </MessageLink>
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

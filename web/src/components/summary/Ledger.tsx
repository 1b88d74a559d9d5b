import type { Summary } from "../../api/types";
import { byKind } from "../../model/summary";
import { useSpeech, useTexts } from "../../texts/texts";
import { MessageLink } from "../receipt/MessageLink";
import { texts as summaryTexts } from "./texts";

/** The exact values that the prose could lose, each with the message that it was said in. */
export function Ledger({ summary }: { summary: Summary }) {
  const texts = useTexts(summaryTexts);
  const { locale } = useSpeech();
  const groups = byKind(summary.ledger);
  return (
    <section className="ledger" aria-labelledby="ledger-title">
      <h2 id="ledger-title">{texts.exactValues}</h2>
      <p className="hint">{groups.length === 0 ? texts.noValues : texts.exactValuesHint}</p>
      {groups.map(({ kind, atoms }) => (
        <div key={kind} className="ledger-kind">
          <h3 id={`ledger-${kind}`}>{texts.kinds[kind]}</h3>
          <ul aria-labelledby={`ledger-${kind}`}>
            {atoms.map((atom) => (
              <li key={`${atom.seq} ${atom.value}`}>
                <span>
                  {atom.label && <span className="hint">{atom.label} </span>}
                  <b>{atom.value}</b>
                </span>
                <MessageLink
                  conversationId={summary.conversation_id}
                  place={String(atom.seq)}
                  panel="summary"
                >
                  {texts.message(atom.seq.toLocaleString(locale))}
                </MessageLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

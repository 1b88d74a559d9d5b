import type { Receipt } from "../../api/types";
import { barOf, freeRoom, isBesideBudget, type ReceiptSection } from "../../model/receipt";
import { useSpeech, useTexts } from "../../texts/texts";
import { texts as receiptTexts } from "./texts";
import { useSectionNames } from "./useSectionNames";

interface Props {
  receipt: Receipt;
  sections: readonly ReceiptSection[];
}

/**
 * The context as one bar: the sections in the order they were sent, then what the budget had left.
 * The legend has the same in words and numbers, what counts against the budget first.
 */
export function BudgetBar({ receipt, sections }: Props) {
  const texts = useTexts(receiptTexts);
  const names = useSectionNames(receipt.mode);
  const { locale } = useSpeech();
  const say = (tokens: number) => tokens.toLocaleString(locale);
  const sent = sections.filter((section) => section.isSent);
  const bar = barOf(receipt, sent);
  const beside = sent.filter(({ section }) => isBesideBudget(section));
  const inBudget = sent.filter(({ section }) => !isBesideBudget(section));
  const free = freeRoom(receipt);
  const parts = [
    ...sent.map(({ section, tokens }) => `${names[section]} ${say(tokens)}`),
    `${texts.free} ${say(free)}`,
  ];

  return (
    <div className="budget">
      <div className="budget-bar" role="img" aria-label={texts.barLabel(parts.join(", "))}>
        {bar.segments.map(({ section, share }) => (
          <span
            key={section}
            className={`budget-segment section-${section}`}
            style={{ flexGrow: share }}
            title={names[section]}
          />
        ))}
        {free > 0 && (
          <span
            className={bar.isCut ? "budget-free cut" : "budget-free"}
            style={{ flexGrow: bar.freeShare }}
            title={texts.free}
          />
        )}
      </div>
      <p className="budget-caption">
        {texts.inBudget(say(receipt.memory_tokens), say(receipt.budget))}
      </p>
      <ul className="budget-legend">
        {inBudget.map(({ section, tokens }) => (
          <li key={section}>
            <i className={`swatch section-${section}`} aria-hidden="true" />
            {names[section]}
            <span className="number">{say(tokens)}</span>
          </li>
        ))}
        <li>
          <i className="swatch free" aria-hidden="true" />
          <span>
            {texts.free}
            {bar.isCut && <small> ({texts.notToScale})</small>}
          </span>
          <span className="number">{say(free)}</span>
        </li>
      </ul>
      {beside.length > 0 && (
        <>
          <p className="budget-caption">{texts.besideBudget}</p>
          <ul className="budget-legend">
            {beside.map(({ section, tokens }) => (
              <li key={section}>
                <i className={`swatch section-${section}`} aria-hidden="true" />
                {names[section]}
                <span className="number">{say(tokens)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

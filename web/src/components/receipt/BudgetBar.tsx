import type { Receipt, Section } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { budgetBar, freeTokens, isOutsideBudget, type ReceiptSection } from "../../model/receipt";
import { useReceiptTexts } from "./texts";
import { useSectionNames } from "./useSectionNames";

interface Props {
  receipt: Receipt;
  sections: readonly ReceiptSection[];
}

/** The context as a bar of its sections and the free budget, with a legend. */
export function BudgetBar({ receipt, sections }: Props) {
  const texts = useReceiptTexts();
  const names = useSectionNames(receipt.mode);
  const { locale } = useLocale();
  const format = (tokens: number) => tokens.toLocaleString(locale);
  const sent = sections.filter((section) => section.isSent);
  const bar = budgetBar(receipt, sent);
  const outside = sent.filter(({ section }) => isOutsideBudget(section));
  const inside = sent.filter(({ section }) => !isOutsideBudget(section));
  const free = freeTokens(receipt);
  const parts = [
    ...sent.map(({ section, tokens }) => `${names[section]} ${format(tokens)}`),
    `${texts.free} ${format(free)}`,
  ];
  const legendItem = ({ section, tokens }: { section: Section; tokens: number }) => (
    <li key={section}>
      <i className={`swatch section-${section}`} aria-hidden="true" />
      {names[section]}
      <span className="number">{format(tokens)}</span>
    </li>
  );

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
            className={bar.isTruncated ? "budget-free truncated" : "budget-free"}
            style={{ flexGrow: bar.freeShare }}
            title={texts.free}
          />
        )}
      </div>
      <p className="budget-caption">
        {texts.inBudget(format(receipt.memory_tokens), format(receipt.budget))}
      </p>
      <ul className="budget-legend">
        {inside.map(legendItem)}
        <li>
          <i className="swatch free" aria-hidden="true" />
          <span>
            {texts.free}
            {bar.isTruncated && <small> ({texts.notToScale})</small>}
          </span>
          <span className="number">{format(free)}</span>
        </li>
      </ul>
      {outside.length > 0 && (
        <>
          <p className="budget-caption">{texts.outsideBudget}</p>
          <ul className="budget-legend">{outside.map(legendItem)}</ul>
        </>
      )}
    </div>
  );
}

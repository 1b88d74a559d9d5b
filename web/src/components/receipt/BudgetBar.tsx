import type { Receipt } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import {
  budgetBar,
  freeTokens,
  isOutsideBudget,
  memorySections,
  type ReceiptSection,
} from "../../model/receipt";
import { SectionShares } from "./SectionShares";
import { useReceiptTexts } from "./texts";
import { useSectionNames } from "./useSectionNames";

interface Props {
  receipt: Receipt;
  sections: readonly ReceiptSection[];
}

/** The memory budget as a bar of its sections and the free part, and each section with its share. */
export function BudgetBar({ receipt, sections }: Props) {
  const texts = useReceiptTexts();
  const names = useSectionNames(receipt.mode);
  const { locale } = useLocale();
  const format = (tokens: number) => tokens.toLocaleString(locale);
  const shares = memorySections(receipt, sections);
  const bar = budgetBar(receipt, shares);
  const outside = sections.filter(({ section, isSent }) => isSent && isOutsideBudget(section));
  const free = freeTokens(receipt);
  const parts = [
    ...shares
      .filter(({ tokens }) => tokens > 0)
      .map(({ section, tokens }) => `${names[section]} ${format(tokens)}`),
    `${texts.free} ${format(free)}`,
  ];

  return (
    <div className="budget">
      <p className="budget-caption">
        {texts.inBudget(format(receipt.memory_tokens), format(receipt.budget))}
      </p>
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
      <SectionShares shares={shares} names={names} free={free} isTruncated={bar.isTruncated} />
      {outside.length > 0 && (
        <>
          <p className="budget-caption">{texts.outsideBudget}</p>
          <ul className="budget-legend">
            {outside.map(({ section, tokens }) => (
              <li key={section}>
                <i className={`swatch section-${section}`} aria-hidden="true" />
                {names[section]}
                <span className="number">{format(tokens)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

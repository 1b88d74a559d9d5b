import type { Message, ReceiptItem } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { translateReason, type Outcome as OutcomeName } from "../../model/receipt";
import { Icon, type IconName } from "../ui/Icon";
import { ItemSource } from "./ItemSource";
import { useReceiptTexts } from "./texts";

interface Props {
  item: ReceiptItem;
  answer: Message;
  /** Without the outcome and reason, which the group shows. */
  isBrief?: boolean;
  /** Whether its tokens include the section's heading. */
  includesHeading?: boolean;
}

export function ReceiptItemRow({ item, answer, isBrief = false, includesHeading = false }: Props) {
  const texts = useReceiptTexts();
  return (
    <li className="receipt-item" data-outcome={item.outcome}>
      <div className="receipt-item-line">
        <ItemSource item={item} answer={answer} />
        <Tokens amount={item.tokens} outcome={item.outcome} />
      </div>
      {!isBrief && (
        <p className="receipt-item-reason">
          <Outcome outcome={item.outcome} /> <Reason reason={item.reason} />
          {includesHeading && ` ${texts.withHeading}`}
        </p>
      )}
    </li>
  );
}

export function Tokens({ amount, outcome }: { amount: number; outcome: OutcomeName }) {
  const texts = useReceiptTexts();
  const formatted = amount.toLocaleString(useLocale().locale);
  const label = outcome === "dropped" ? texts.wouldHaveTaken(formatted) : texts.tokens(formatted);
  if (amount === 0) return null;
  return (
    <span className="number" title={label}>
      <span aria-hidden="true">{formatted}</span>
      <span className="visually-hidden">{label}</span>
    </span>
  );
}

const icons: Record<OutcomeName, IconName> = {
  included: "check",
  shortened: "summary",
  dropped: "close",
};

export function Outcome({ outcome }: { outcome: OutcomeName }) {
  const texts = useReceiptTexts();
  return (
    <span className="outcome">
      <Icon name={icons[outcome]} />
      {texts.outcomes[outcome]}.
    </span>
  );
}

export function Reason({ reason }: { reason: string }) {
  const texts = useReceiptTexts();
  return translateReason(reason, texts.reasons, texts.partly);
}

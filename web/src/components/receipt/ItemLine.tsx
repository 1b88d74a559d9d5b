import type { Message, ReceiptItem } from "../../api/types";
import { sayReason, type Outcome as OutcomeName } from "../../model/receipt";
import { useSpeech, useTexts } from "../../texts/texts";
import { Icon, type IconName } from "../ui/Icon";
import { SourceName } from "./SourceName";
import { texts as receiptTexts } from "./texts";

interface Props {
  item: ReceiptItem;
  answer: Message;
  /** Without what the line above it says for all. */
  isBrief?: boolean;
  /** Whether its tokens are also those of the heading above it and others. */
  isHeaded?: boolean;
}

export function ItemLine({ item, answer, isBrief = false, isHeaded = false }: Props) {
  const texts = useTexts(receiptTexts);
  return (
    <li className="seen-item" data-outcome={item.outcome}>
      <div className="seen-item-line">
        <SourceName item={item} answer={answer} />
        <Tokens amount={item.tokens} outcome={item.outcome} />
      </div>
      {!isBrief && (
        <p className="seen-item-why">
          <Outcome outcome={item.outcome} /> <Reason reason={item.reason} />
          {isHeaded && ` ${texts.withHeading}`}
        </p>
      )}
    </li>
  );
}

export function Tokens({ amount, outcome }: { amount: number; outcome: OutcomeName }) {
  const texts = useTexts(receiptTexts);
  const said = amount.toLocaleString(useSpeech().locale);
  const words = outcome === "dropped" ? texts.wouldHaveTaken(said) : texts.tokens(said);
  if (amount === 0) return null;
  return (
    <span className="number" title={words}>
      <span aria-hidden="true">{said}</span>
      <span className="visually-hidden">{words}</span>
    </span>
  );
}

const signs: Record<OutcomeName, IconName> = {
  included: "check",
  shortened: "summary",
  dropped: "close",
};

export function Outcome({ outcome }: { outcome: OutcomeName }) {
  const texts = useTexts(receiptTexts);
  return (
    <span className="outcome">
      <Icon name={signs[outcome]} />
      {texts.outcomes[outcome]}.
    </span>
  );
}

export function Reason({ reason }: { reason: string }) {
  const texts = useTexts(receiptTexts);
  return sayReason(reason, texts.reasons, texts.partly);
}

import { useState } from "react";
import type { Message, ReceiptItem } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { passageSource, type ItemGroup } from "../../model/receipt";
import { PassageRow } from "./PassageRow";
import { Outcome, Reason } from "./ReceiptItemRow";
import { useReceiptTexts } from "./texts";
import { usePassageMessages } from "./usePassageMessages";

/** Passages that were left out for the same reason; their texts are loaded on demand. */
export function DroppedPassages({ group, answer }: { group: ItemGroup; answer: Message }) {
  const texts = useReceiptTexts();
  const { locale } = useLocale();
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="receipt-item" data-outcome={group.outcome}>
      <div className="receipt-item-line">
        <span>{texts.passages(group.items.length, locale)}</span>
      </div>
      <p className="receipt-item-reason">
        <Outcome outcome={group.outcome} /> <Reason reason={group.reason} />
      </p>
      <details className="receipt-group" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{texts.eachPassage}</summary>
        {isOpen && <Passages items={group.items} answer={answer} />}
      </details>
    </li>
  );
}

function Passages({ items, answer }: { items: readonly ReceiptItem[]; answer: Message }) {
  const messages = usePassageMessages(items);
  return (
    <ul>
      {items.map((item, index) => {
        const source = passageSource(item);
        return (
          source && (
            <PassageRow
              key={index}
              item={item}
              source={source}
              message={messages.get(source.messageId)}
              answer={answer}
              isBrief
            />
          )
        );
      })}
    </ul>
  );
}

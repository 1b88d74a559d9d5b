import { useState } from "react";
import type { Message, ReceiptItem } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { passageSource, seqRange, type ItemGroup } from "../../model/receipt";
import { DroppedPassages } from "./DroppedPassages";
import { MessageLink } from "./MessageLink";
import { PassageRow } from "./PassageRow";
import { Outcome, Reason, ReceiptItemRow, Tokens } from "./ReceiptItemRow";
import { useReceiptTexts } from "./texts";
import type { PassageMessages } from "./usePassageMessages";

const MIN_GROUP_SIZE = 3;

interface Props {
  group: ItemGroup;
  /** The item whose tokens include the section's heading. */
  headingItem: ReceiptItem | null;
  answer: Message;
  /** The messages of passages. */
  messages: PassageMessages;
}

export function ItemGroupRow({ group, headingItem, answer, messages }: Props) {
  const texts = useReceiptTexts();
  const { locale } = useLocale();
  const [isOpen, setOpen] = useState(false);
  const range = seqRange(group);
  const passage = passageSource(group.items[0]!);
  if (passage && group.outcome === "dropped") return <DroppedPassages group={group} answer={answer} />;
  if (passage) {
    return (
      <PassageRow
        item={group.items[0]!}
        source={passage}
        message={messages.get(passage.messageId)}
        answer={answer}
        includesHeading={group.items[0] === headingItem}
      />
    );
  }
  if (group.items.length < MIN_GROUP_SIZE || range === null) {
    return group.items.map((item, index) => (
      <ReceiptItemRow key={index} item={item} answer={answer} includesHeading={item === headingItem} />
    ));
  }
  const [first, last] = [range.first, range.last].map((seq) => seq.toLocaleString(locale));
  return (
    <li className="receipt-item" data-outcome={group.outcome}>
      <div className="receipt-item-line">
        <MessageLink conversationId={answer.conversation_id} anchor={String(range.first)} panel="seen">
          {texts.messages(first!, last!)}
        </MessageLink>
        <Tokens amount={group.tokens} outcome={group.outcome} />
      </div>
      <p className="receipt-item-reason">
        <Outcome outcome={group.outcome} /> <Reason reason={group.reason} />
        {group.items[0] === headingItem && ` ${texts.withHeading}`}
      </p>
      <details className="receipt-group" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{texts.oneByOne}</summary>
        {/* Rendered on demand: a full context may have thousands of items. */}
        {isOpen && (
          <ul>
            {group.items.map((item) => (
              <ReceiptItemRow key={item.source} item={item} answer={answer} isBrief />
            ))}
          </ul>
        )}
      </details>
    </li>
  );
}

import { useState } from "react";
import type { Message, ReceiptItem } from "../../api/types";
import { spanOf, type Run } from "../../model/receipt";
import { useSpeech, useTexts } from "../../texts/texts";
import { ItemLine, Outcome, Reason, Tokens } from "./ItemLine";
import { MessageLink } from "./MessageLink";
import { texts as receiptTexts } from "./texts";

/** From how many messages on they are one line that can be opened. */
const manyMessages = 3;

interface Props {
  run: Run;
  /** The item that is charged with its section's heading. */
  headed: ReceiptItem | null;
  answer: Message;
}

export function RunLine({ run, headed, answer }: Props) {
  const texts = useTexts(receiptTexts);
  const { locale } = useSpeech();
  const [isOpen, setOpen] = useState(false);
  const span = spanOf(run);
  if (run.items.length < manyMessages || span === null) {
    return run.items.map((item, place) => (
      <ItemLine key={place} item={item} answer={answer} isHeaded={item === headed} />
    ));
  }
  const [first, last] = [span.first, span.last].map((seq) => seq.toLocaleString(locale));
  return (
    <li className="seen-item" data-outcome={run.outcome}>
      <div className="seen-item-line">
        <MessageLink conversationId={answer.conversation_id} place={String(span.first)} panel="seen">
          {texts.messages(first!, last!)}
        </MessageLink>
        <Tokens amount={run.tokens} outcome={run.outcome} />
      </div>
      <p className="seen-item-why">
        <Outcome outcome={run.outcome} /> <Reason reason={run.reason} />
        {run.items[0] === headed && ` ${texts.withHeading}`}
      </p>
      <details className="seen-run" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{texts.oneByOne}</summary>
        {/* A full context may have thousands. */}
        {isOpen && (
          <ul>
            {run.items.map((item) => (
              <ItemLine key={item.source} item={item} answer={answer} isBrief />
            ))}
          </ul>
        )}
      </details>
    </li>
  );
}

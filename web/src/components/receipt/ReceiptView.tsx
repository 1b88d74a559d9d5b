import type { Message, Receipt } from "../../api/types";
import { sectionsOf } from "../../model/receipt";
import { exactTime } from "../../model/time";
import { useSpeech, useTexts } from "../../texts/texts";
import { BudgetBar } from "./BudgetBar";
import { MessageLink } from "./MessageLink";
import { Saved } from "./Saved";
import { SectionList } from "./SectionList";
import { texts as receiptTexts } from "./texts";

/** The picture first, then each candidate for the context and what became of it. */
export function ReceiptView({ receipt, answer }: { receipt: Receipt; answer: Message }) {
  const texts = useTexts(receiptTexts);
  const { locale } = useSpeech();
  const sections = sectionsOf(receipt);
  const { conversation_id: conversationId, id, seq } = answer;

  return (
    <div className="seen">
      <header className="seen-header">
        <p className="hint">
          {texts.forAnswer}{" "}
          <MessageLink conversationId={conversationId} place={id} panel="seen">
            {texts.message(seq.toLocaleString(locale)).toLocaleLowerCase(locale)}
          </MessageLink>
          {" · "}
          <time dateTime={answer.created_at}>{exactTime(answer.created_at, locale)}</time>
        </p>
        <Saved receipt={receipt} />
        <ul className="seen-tags">
          <li className="tag">
            {texts.mode}: {receipt.mode === "full" ? texts.full : texts.compressed}
          </li>
          <li className="tag">
            {texts.policy}: {receipt.policy}
          </li>
        </ul>
      </header>
      <BudgetBar receipt={receipt} sections={sections} />
      <SectionList sections={sections} mode={receipt.mode} answer={answer} />
    </div>
  );
}

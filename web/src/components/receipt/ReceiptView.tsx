import type { Message, Receipt } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { exactTime } from "../../model/dateFormat";
import { receiptSections } from "../../model/receipt";
import { BudgetBar } from "./BudgetBar";
import { MessageLink } from "./MessageLink";
import { PromptCache } from "./PromptCache";
import { SectionList } from "./SectionList";
import { useReceiptTexts } from "./texts";
import { TokenSavings } from "./TokenSavings";

export function ReceiptView({ receipt, answer }: { receipt: Receipt; answer: Message }) {
  const texts = useReceiptTexts();
  const { locale } = useLocale();
  const sections = receiptSections(receipt);
  const { conversation_id: conversationId, id, seq } = answer;

  return (
    <div className="receipt">
      <header className="receipt-header">
        <p className="hint">
          {texts.forAnswer}{" "}
          <MessageLink conversationId={conversationId} anchor={id} panel="seen">
            {texts.message(seq.toLocaleString(locale)).toLocaleLowerCase(locale)}
          </MessageLink>
          {" · "}
          <time dateTime={answer.created_at}>{exactTime(answer.created_at, locale)}</time>
        </p>
        <TokenSavings receipt={receipt} />
        <ul className="receipt-tags">
          <li className="tag">
            {texts.mode}: {receipt.mode === "full" ? texts.full : texts.compressed}
          </li>
          <li className="tag">
            {texts.policy}: {receipt.policy}
          </li>
          {receipt.layout === "cache" && <li className="tag">{texts.cacheLayout}</li>}
        </ul>
      </header>
      <BudgetBar receipt={receipt} sections={sections} />
      <PromptCache receipt={receipt} />
      <SectionList sections={sections} mode={receipt.mode} answer={answer} />
    </div>
  );
}

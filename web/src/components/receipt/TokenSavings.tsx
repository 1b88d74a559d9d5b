import type { Receipt } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { formatPercent } from "../../model/numberFormat";
import { hasSummary, hasDroppedMessages, savedShare } from "../../model/receipt";
import { useReceiptTexts } from "./texts";

/** Compares the tokens of the context with the full history. */
export function TokenSavings({ receipt }: { receipt: Receipt }) {
  const texts = useReceiptTexts();
  const { locale } = useLocale();
  const tokens = receipt.tokens.toLocaleString(locale);
  const total = receipt.full_history_tokens.toLocaleString(locale);
  const share = savedShare(receipt);

  if (receipt.mode === "full") {
    const text = hasDroppedMessages(receipt) ? texts.fullPartly(tokens, total) : texts.fullSent(tokens);
    return <p className="receipt-savings">{text}</p>;
  }
  if (share === null) {
    const unsaved = hasDroppedMessages(receipt) ? texts.tokens(tokens) : texts.notSaved(tokens);
    return (
      <p className="receipt-savings">
        {hasSummary(receipt) ? texts.notSavedYet(tokens, total) : unsaved}
      </p>
    );
  }
  return (
    <p className="receipt-savings">
      {texts.saved(tokens, total)}
      <strong>{texts.savedShare(formatPercent(share, locale))}</strong>.
    </p>
  );
}

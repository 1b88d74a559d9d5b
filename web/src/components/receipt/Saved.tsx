import type { Receipt } from "../../api/types";
import { percent } from "../../model/amounts";
import { isSummarized, leavesOut, savedShare } from "../../model/receipt";
import { useSpeech, useTexts } from "../../texts/texts";
import { texts as receiptTexts } from "./texts";

/** In one sentence: what this context cost beside the whole history. */
export function Saved({ receipt }: { receipt: Receipt }) {
  const texts = useTexts(receiptTexts);
  const { locale } = useSpeech();
  const tokens = receipt.tokens.toLocaleString(locale);
  const all = receipt.full_history_tokens.toLocaleString(locale);
  const share = savedShare(receipt);

  if (receipt.mode === "full") {
    const isWhole = !leavesOut(receipt);
    return (
      <p className="seen-saved">
        {isWhole ? texts.fullSent(tokens) : texts.fullPartly(tokens, all)}
      </p>
    );
  }
  if (share === null) {
    const unsaved = leavesOut(receipt) ? texts.tokens(tokens) : texts.notSaved(tokens);
    return (
      <p className="seen-saved">
        {isSummarized(receipt) ? texts.notSavedYet(tokens, all) : unsaved}
      </p>
    );
  }
  return (
    <p className="seen-saved">
      {texts.saved(tokens, all)}
      <strong>{texts.savedShare(percent(share, locale))}</strong>.
    </p>
  );
}

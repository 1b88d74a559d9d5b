import type { Receipt } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { useReceiptTexts } from "./texts";

/** The beginning of the prompt that is the same as before, which providers can cache. */
export function PromptCache({ receipt }: { receipt: Receipt }) {
  const texts = useReceiptTexts();
  const { locale } = useLocale();
  const { tokens, unchanged_tokens: unchanged, cached_tokens: cached } = receipt;
  if (unchanged === 0 && !cached) return null;
  const format = (amount: number) => amount.toLocaleString(locale);
  const percent = (amount: number) => `${Math.min(100, (100 * amount) / Math.max(1, tokens))}%`;
  return (
    <div className="prompt-cache">
      <p>
        {texts.unchanged(format(unchanged), format(tokens))}
        {cached !== null && <> {texts.cached(format(cached))}</>}
      </p>
      <div className="prompt-cache-bar" aria-hidden="true">
        <span style={{ width: percent(unchanged) }} />
      </div>
    </div>
  );
}

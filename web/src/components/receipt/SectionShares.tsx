import type { Section, SectionShare } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { useReceiptTexts } from "./texts";

interface Props {
  shares: readonly SectionShare[];
  names: Readonly<Record<Section, string>>;
  free: number;
  /** Whether the free part of the budget is drawn too short. */
  isTruncated: boolean;
}

/**
 * Each section with its tokens, the share that it was sure of, and the tokens that it got from other
 * sections or left to them. A table, drawn as bars.
 */
export function SectionShares({ shares, names, free, isTruncated }: Props) {
  const texts = useReceiptTexts();
  const { locale } = useLocale();
  const format = (tokens: number) => tokens.toLocaleString(locale);
  const hasShares = shares.some(({ share }) => share > 0);
  const longest = Math.max(1, ...shares.map(({ share, tokens }) => Math.max(share, tokens)));
  const flowText = ({ share, tokens, flowed }: SectionShare) => {
    if (flowed > 0) return texts.fromOthers(format(flowed));
    if (flowed < 0) return texts.leftToOthers(format(-flowed));
    return share > tokens ? texts.unused(format(share - tokens)) : "";
  };
  // Explicit roles, because the rows are not displayed as table rows.
  return (
    <>
      <div className="shares" role="table" aria-label={texts.sharesLabel}>
        <div className="visually-hidden" role="row">
          {[texts.section, texts.share, texts.flow, texts.used].map((column) => (
            <span key={column} role="columnheader">
              {column}
            </span>
          ))}
        </div>
        {shares.map((row) => (
          <div key={row.section} className={`share-row section-${row.section}`} role="row">
            <span className="share-name" role="rowheader">
              <i className="swatch" aria-hidden="true" />
              {names[row.section]}
            </span>
            <span className="share-sure" role="cell">
              {row.share > 0 && texts.sureOf(format(row.share))}
            </span>
            <span className="share-flow" role="cell" data-flowed={Math.sign(row.flowed)}>
              {flowText(row)}
            </span>
            <span className="number" role="cell">
              {format(row.tokens)}
            </span>
            {hasShares && <ShareBar row={row} longest={longest} />}
          </div>
        ))}
        <div className="share-row" role="row">
          <span className="share-name" role="rowheader">
            <i className="swatch free" aria-hidden="true" />
            {texts.free}
          </span>
          <span className="share-sure" role="cell">
            {isTruncated && texts.notToScale}
          </span>
          <span className="share-flow" role="cell" />
          <span className="number" role="cell">
            {format(free)}
          </span>
        </div>
      </div>
      {hasShares && <p className="hint">{texts.sharesHint}</p>}
    </>
  );
}

/** The used tokens, those beyond the share striped; a line marks the share. */
function ShareBar({ row: { share, tokens }, longest }: { row: SectionShare; longest: number }) {
  const percent = (amount: number) => `${(100 * amount) / longest}%`;
  return (
    <span className="share-bar" role="presentation">
      <span className="share-used" style={{ width: percent(share > 0 ? Math.min(share, tokens) : tokens) }} />
      {share > 0 && tokens > share && (
        <span className="share-gained" style={{ left: percent(share), width: percent(tokens - share) }} />
      )}
      {tokens < share && (
        <span className="share-left" style={{ left: percent(tokens), width: percent(share - tokens) }} />
      )}
      {share > 0 && <span className="share-mark" style={{ left: percent(share) }} />}
    </span>
  );
}

import { useLocale } from "../../i18n/i18n";
import { formatNumber } from "../../model/numberFormat";

interface Props {
  title: string;
  counts: readonly { amount: number; name: string }[];
  /** Shown if there are no counts. */
  empty: string;
}

export function CountList({ title, counts, empty }: Props) {
  const { locale } = useLocale();
  return (
    <div className="count-list">
      <h3>{title}</h3>
      {counts.length === 0 && <p className="hint">{empty}</p>}
      <ul>
        {counts.map(({ amount, name }) => (
          <li key={name}>
            <strong>{formatNumber(amount, locale)}</strong> {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

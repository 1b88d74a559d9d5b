import { wholeNumber } from "../../model/amounts";
import { useSpeech } from "../../texts/texts";

interface Props {
  title: string;
  counts: readonly { amount: number; name: string }[];
  /** What is said where there is nothing to count. */
  none: string;
}

/** "12 conversations, 240 messages", under what happened to them. */
export function Counts({ title, counts, none }: Props) {
  const { locale } = useSpeech();
  return (
    <div className="counts">
      <h3>{title}</h3>
      {counts.length === 0 && <p className="hint">{none}</p>}
      <ul>
        {counts.map(({ amount, name }) => (
          <li key={name}>
            <strong>{wholeNumber(amount, locale)}</strong> {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

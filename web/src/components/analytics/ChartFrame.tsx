import type { ReactNode } from "react";
import { useTexts } from "../../texts/texts";
import { Fold } from "../ui/Fold";
import { texts as analyticsTexts } from "./texts";

export interface Series {
  label: string;
  /** The number of its colour among the tokens. */
  colour: number;
}

interface Props {
  title: string;
  hint?: string;
  series?: readonly Series[];
  /** The same figures, as a table that is folded away. */
  table?: ReactNode;
  children: ReactNode;
}

/** A chart with its heading, what its colours mean, and its figures to read. */
export function ChartFrame({ title, hint, series = [], table, children }: Props) {
  const texts = useTexts(analyticsTexts);
  return (
    <figure className="chart box">
      <figcaption>
        <h2>{title}</h2>
        {hint && <p className="hint">{hint}</p>}
      </figcaption>
      {series.length > 1 && (
        <ul className="chart-legend">
          {series.map(({ label, colour }) => (
            <li key={label}>
              <Swatch colour={colour} />
              {label}
            </li>
          ))}
        </ul>
      )}
      {children}
      {table && <Fold summary={texts.showTable}>{table}</Fold>}
    </figure>
  );
}

export function Swatch({ colour }: { colour: number }) {
  return <i className="chart-swatch" data-colour={colour} aria-hidden="true" />;
}

export function colourOf(colour: number): string {
  return `var(--series-${colour})`;
}

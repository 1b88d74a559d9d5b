import type { ReactNode } from "react";
import { Collapsible } from "../ui/Collapsible";
import { useAnalyticsTexts } from "./texts";

export interface Series {
  label: string;
  /** Number of its colour in tokens.css. */
  colour: number;
}

interface Props {
  title: string;
  hint?: string;
  series?: readonly Series[];
  /** The values as a table, collapsed. */
  table?: ReactNode;
  children: ReactNode;
}

/** A chart with its heading, legend and data table. */
export function ChartCard({ title, hint, series = [], table, children }: Props) {
  const texts = useAnalyticsTexts();
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
      {table && <Collapsible summary={texts.showTable}>{table}</Collapsible>}
    </figure>
  );
}

export function Swatch({ colour }: { colour: number }) {
  return <i className="chart-swatch" data-colour={colour} aria-hidden="true" />;
}

export function colourOf(colour: number): string {
  return `var(--series-${colour})`;
}

/** What the charts have in common: how their axes look, and what the pointer is told. */
import type { ReactNode } from "react";
import { shortNumber, wholeNumber } from "../../model/amounts";
import type { Series } from "./ChartFrame";
import { Swatch } from "./ChartFrame";

const tick = { fill: "var(--ink-soft)", fontSize: 12 };

export const axis = { tick, tickLine: false, axisLine: false } as const;
export const grid = { stroke: "var(--line)", vertical: false } as const;
export const cursor = { fill: "var(--hover)", stroke: "none" } as const;

/** Every chart is as wide as its place, and redrawn with it. */
export const canvas = {
  responsive: true,
  style: { width: "100%", height: "100%" },
  margin: { top: 8, right: 8, bottom: 0, left: 0 },
} as const;

export function valueAxis(locale: string) {
  return {
    ...axis,
    width: 52,
    tickFormatter: (value: number) => shortNumber(value, locale),
  } as const;
}

interface TipProps {
  heading: string;
  series: readonly (Series & { value: number })[];
  locale: string;
  children?: ReactNode;
}

/** What is shown beside the pointer, or beside the value that the arrow keys have reached. */
export function ChartTip({ heading, series, locale, children }: TipProps) {
  return (
    <div className="chart-tip">
      <p>{heading}</p>
      <ul>
        {series.map(({ label, colour, value }) => (
          <li key={label}>
            <Swatch colour={colour} />
            {label}
            <strong>{wholeNumber(value, locale)}</strong>
          </li>
        ))}
      </ul>
      {children}
    </div>
  );
}

import type { ReactNode } from "react";
import { formatCompact, formatNumber } from "../../model/numberFormat";
import { Swatch, type Series } from "./ChartCard";

const tick = { fill: "var(--ink-soft)", fontSize: 12 };

export const axis = { tick, tickLine: false, axisLine: false } as const;
export const grid = { stroke: "var(--line)", vertical: false } as const;
export const cursor = { fill: "var(--hover)", stroke: "none" } as const;

export const canvas = {
  responsive: true,
  style: { width: "100%", height: "100%" },
  margin: { top: 8, right: 8, bottom: 0, left: 0 },
} as const;

export function valueAxis(locale: string) {
  return {
    ...axis,
    width: 52,
    tickFormatter: (value: number) => formatCompact(value, locale),
  } as const;
}

interface TooltipProps {
  heading: string;
  series: readonly (Series & { value: number })[];
  locale: string;
  children?: ReactNode;
}

export function ChartTooltip({ heading, series, locale, children }: TooltipProps) {
  return (
    <div className="chart-tooltip">
      <p>{heading}</p>
      <ul>
        {series.map(({ label, colour, value }) => (
          <li key={label}>
            <Swatch colour={colour} />
            {label}
            <strong>{formatNumber(value, locale)}</strong>
          </li>
        ))}
      </ul>
      {children}
    </div>
  );
}

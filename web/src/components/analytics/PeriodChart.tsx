import { BarChart, CartesianGrid, Bar, Tooltip, XAxis, YAxis } from "recharts";
import { useLocale } from "../../i18n/i18n";
import { longPeriod, shortPeriod } from "../../model/dateFormat";
import { formatNumber } from "../../model/numberFormat";
import type { Period, Unit } from "../../model/savings";
import { ChartCard, colourOf, type Series } from "./ChartCard";
import { axis, canvas, ChartTooltip, cursor, grid, valueAxis } from "./chartParts";
import { DataTable } from "./DataTable";
import { useAnalyticsTexts } from "./texts";

interface Bars extends Series {
  key: Exclude<keyof Period, "day">;
  /** Bars with the same stack are stacked. */
  stack?: string;
}

interface Props {
  title: string;
  hint: string;
  unit: Unit;
  periods: readonly Period[];
  bars: readonly Bars[];
}

export function PeriodChart({ title, hint, unit, periods, bars }: Props) {
  const texts = useAnalyticsTexts();
  const { locale } = useLocale();
  const table = (
    <DataTable
      label={title}
      columns={[texts.units[unit], ...bars.map(({ label }) => label)]}
      rows={periods.map((period) => [
        longPeriod(period.day, unit, locale),
        ...bars.map(({ key }) => formatNumber(period[key], locale)),
      ])}
    />
  );

  return (
    <ChartCard title={title} hint={hint} series={bars} table={table}>
      <div className="chart-canvas">
        <BarChart {...canvas} data={[...periods]} barGap={2} aria-label={`${title}. ${texts.chartKeys}`}>
          <CartesianGrid {...grid} />
          <XAxis
            {...axis}
            dataKey="day"
            minTickGap={24}
            tickFormatter={(day: string) => shortPeriod(day, unit, locale)}
          />
          <YAxis {...valueAxis(locale)} allowDecimals={false} />
          <Tooltip
            cursor={cursor}
            isAnimationActive={false}
            content={({ payload }) => {
              const period = payload[0]?.payload as Period | undefined;
              if (!period) return null;
              return (
                <ChartTooltip
                  heading={longPeriod(period.day, unit, locale)}
                  series={bars.map((bar) => ({ ...bar, value: period[bar.key] }))}
                  locale={locale}
                />
              );
            }}
          />
          {bars.map(({ key, colour, stack }) => (
            <Bar
              key={key}
              dataKey={key}
              fill={colourOf(colour)}
              stackId={stack ?? key}
              maxBarSize={28}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </div>
    </ChartCard>
  );
}

import { Area, AreaChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";
import { useLocale } from "../../i18n/i18n";
import { longPeriod, shortPeriod } from "../../model/dateFormat";
import { formatNumber } from "../../model/numberFormat";
import { runningTotals, type Period, type RunningTotal, type Unit } from "../../model/savings";
import { ChartCard, colourOf } from "./ChartCard";
import { axis, canvas, ChartTooltip, grid, valueAxis } from "./chartParts";
import { DataTable } from "./DataTable";
import { useAnalyticsTexts } from "./texts";

const colour = 1;

/** Cumulative savings. */
export function SavingsChart({ unit, periods }: { unit: Unit; periods: readonly Period[] }) {
  const texts = useAnalyticsTexts();
  const { locale } = useLocale();
  const totals = runningTotals(periods);
  const table = (
    <DataTable
      label={texts.savingsChart}
      columns={[texts.units[unit], texts.saved]}
      rows={totals.map(({ day, saved }) => [
        longPeriod(day, unit, locale),
        formatNumber(saved, locale),
      ])}
    />
  );

  return (
    <ChartCard title={texts.savingsChart} hint={texts.savingsHint} table={table}>
      <div className="chart-canvas">
        <AreaChart
          {...canvas}
          data={totals}
          aria-label={`${texts.savingsChart}. ${texts.chartKeys}`}
        >
          <CartesianGrid {...grid} />
          <XAxis
            {...axis}
            dataKey="day"
            minTickGap={24}
            tickFormatter={(day: string) => shortPeriod(day, unit, locale)}
          />
          <YAxis {...valueAxis(locale)} allowDecimals={false} />
          <Tooltip
            cursor={{ stroke: "var(--line-strong)" }}
            isAnimationActive={false}
            content={({ payload }) => {
              const total = payload[0]?.payload as RunningTotal | undefined;
              if (!total) return null;
              const series = [{ label: texts.saved, colour, value: total.saved }];
              const heading = longPeriod(total.day, unit, locale);
              return <ChartTooltip heading={heading} series={series} locale={locale} />;
            }}
          />
          <Area
            dataKey="saved"
            type="monotone"
            stroke={colourOf(colour)}
            strokeWidth={2}
            fill={colourOf(colour)}
            fillOpacity={0.15}
            // A single day has no line.
            dot={totals.length === 1 && { fill: colourOf(colour) }}
            isAnimationActive={false}
          />
        </AreaChart>
      </div>
    </ChartCard>
  );
}

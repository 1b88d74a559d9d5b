import { Area, AreaChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";
import { wholeNumber } from "../../model/amounts";
import { longDay, shortDay } from "../../model/moments";
import { runningTotals, type Period, type RunningTotal, type Unit } from "../../model/savings";
import { useSpeech, useTexts } from "../../texts/texts";
import { ChartFrame, colourOf } from "./ChartFrame";
import { axis, canvas, ChartTip, grid, valueAxis } from "./chartParts";
import { DataTable } from "./DataTable";
import { texts as analyticsTexts } from "./texts";

const colour = 1;

/** What has been saved altogether, from the first day on. */
export function SavedChart({ unit, periods }: { unit: Unit; periods: readonly Period[] }) {
  const texts = useTexts(analyticsTexts);
  const { locale } = useSpeech();
  const totals = runningTotals(periods);
  const table = (
    <DataTable
      label={texts.savedChart}
      columns={[texts.units[unit], texts.saved]}
      rows={totals.map(({ day, saved }) => [
        longDay(day, unit, locale),
        wholeNumber(saved, locale),
      ])}
    />
  );

  return (
    <ChartFrame title={texts.savedChart} hint={texts.savedHint} table={table}>
      <div className="chart-canvas">
        <AreaChart
          {...canvas}
          data={totals}
          aria-label={`${texts.savedChart}. ${texts.chartKeys}`}
        >
          <CartesianGrid {...grid} />
          <XAxis
            {...axis}
            dataKey="day"
            minTickGap={24}
            tickFormatter={(day: string) => shortDay(day, unit, locale)}
          />
          <YAxis {...valueAxis(locale)} allowDecimals={false} />
          <Tooltip
            cursor={{ stroke: "var(--line-strong)" }}
            isAnimationActive={false}
            content={({ payload }) => {
              const total = payload[0]?.payload as RunningTotal | undefined;
              if (!total) return null;
              const series = [{ label: texts.saved, colour, value: total.saved }];
              const heading = longDay(total.day, unit, locale);
              return <ChartTip heading={heading} series={series} locale={locale} />;
            }}
          />
          <Area
            dataKey="saved"
            type="monotone"
            stroke={colourOf(colour)}
            strokeWidth={2}
            fill={colourOf(colour)}
            fillOpacity={0.15}
            // A single day has no line to show.
            dot={totals.length === 1 && { fill: colourOf(colour) }}
            isAnimationActive={false}
          />
        </AreaChart>
      </div>
    </ChartFrame>
  );
}

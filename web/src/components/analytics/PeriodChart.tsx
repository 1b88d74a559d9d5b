import { BarChart, CartesianGrid, Bar, Tooltip, XAxis, YAxis } from "recharts";
import { wholeNumber } from "../../model/amounts";
import { longDay, shortDay } from "../../model/moments";
import type { Period, Unit } from "../../model/savings";
import { useSpeech, useTexts } from "../../texts/texts";
import { ChartFrame, colourOf, type Series } from "./ChartFrame";
import { axis, canvas, ChartTip, cursor, grid, valueAxis } from "./chartParts";
import { DataTable } from "./DataTable";
import { texts as analyticsTexts } from "./texts";

interface Bars extends Series {
  key: Exclude<keyof Period, "day">;
  /** Those of one name stand on each other. */
  stack?: string;
}

interface Props {
  title: string;
  hint: string;
  unit: Unit;
  periods: readonly Period[];
  bars: readonly Bars[];
}

/** Bars for every day, week or month. */
export function PeriodChart({ title, hint, unit, periods, bars }: Props) {
  const texts = useTexts(analyticsTexts);
  const { locale } = useSpeech();
  const table = (
    <DataTable
      label={title}
      columns={[texts.units[unit], ...bars.map(({ label }) => label)]}
      rows={periods.map((period) => [
        longDay(period.day, unit, locale),
        ...bars.map(({ key }) => wholeNumber(period[key], locale)),
      ])}
    />
  );

  return (
    <ChartFrame title={title} hint={hint} series={bars} table={table}>
      <div className="chart-canvas">
        <BarChart {...canvas} data={[...periods]} barGap={2} aria-label={`${title}. ${texts.chartKeys}`}>
          <CartesianGrid {...grid} />
          <XAxis
            {...axis}
            dataKey="day"
            minTickGap={24}
            tickFormatter={(day: string) => shortDay(day, unit, locale)}
          />
          <YAxis {...valueAxis(locale)} allowDecimals={false} />
          <Tooltip
            cursor={cursor}
            isAnimationActive={false}
            content={({ payload }) => {
              const period = payload[0]?.payload as Period | undefined;
              if (!period) return null;
              return (
                <ChartTip
                  heading={longDay(period.day, unit, locale)}
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
    </ChartFrame>
  );
}

import { Bar, BarChart, Tooltip, XAxis, YAxis } from "recharts";
import type { PurposeCost } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { formatDuration, formatNumber } from "../../model/numberFormat";
import { ChartCard, colourOf } from "./ChartCard";
import { axis, canvas, ChartTooltip, cursor, valueAxis } from "./chartParts";
import { DataTable } from "./DataTable";
import { useAnalyticsTexts } from "./texts";

interface Row extends PurposeCost {
  name: string;
}

/** Model calls by purpose, highest cost first. */
export function CostByPurpose({ costs }: { costs: Readonly<Record<string, PurposeCost>> }) {
  const texts = useAnalyticsTexts();
  const { locale } = useLocale();
  const rows: Row[] = Object.entries(costs)
    .map(([purpose, cost]) => ({ ...cost, name: texts.purposes[purpose] ?? purpose }))
    .sort((a, b) => tokensOf(b) - tokensOf(a));
  const series = [
    { key: "tokens_in", label: texts.tokensIn, colour: 3 },
    { key: "tokens_out", label: texts.tokensOut, colour: 2 },
  ] as const;

  return (
    <ChartCard title={texts.purposesChart} hint={texts.purposesHint} series={series}>
      <div className="chart-canvas" data-rows={Math.min(rows.length, 5)}>
        <BarChart
          {...canvas}
          layout="vertical"
          data={rows}
          aria-label={`${texts.purposesChart}. ${texts.chartKeys}`}
        >
          <XAxis {...valueAxis(locale)} type="number" />
          <YAxis {...axis} type="category" dataKey="name" width={124} />
          <Tooltip
            cursor={cursor}
            isAnimationActive={false}
            content={({ payload }) => {
              const row = payload[0]?.payload as Row | undefined;
              if (!row) return null;
              const values = series.map((bar) => ({ ...bar, value: row[bar.key] }));
              return <ChartTooltip heading={row.name} series={values} locale={locale} />;
            }}
          />
          {series.map(({ key, colour }) => (
            <Bar
              key={key}
              dataKey={key}
              stackId="tokens"
              fill={colourOf(colour)}
              maxBarSize={20}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      </div>
      <DataTable
        label={texts.purposesChart}
        columns={[
          texts.purpose,
          texts.calls,
          texts.failed,
          texts.tokensIn,
          texts.tokensOut,
          texts.cached,
          texts.meanTime,
        ]}
        rows={rows.map((row) => [
          row.name,
          formatNumber(row.calls, locale),
          formatNumber(row.failed, locale),
          formatNumber(row.tokens_in, locale),
          formatNumber(row.tokens_out, locale),
          formatNumber(row.tokens_cached, locale),
          row.calls === 0 ? "–" : formatDuration(row.duration_ms / row.calls, locale),
        ])}
      />
    </ChartCard>
  );
}

function tokensOf({ tokens_in, tokens_out }: PurposeCost): number {
  return tokens_in + tokens_out;
}

import { Bar, BarChart, Tooltip, XAxis, YAxis } from "recharts";
import type { PurposeCost } from "../../api/types";
import { duration, wholeNumber } from "../../model/amounts";
import { useSpeech, useTexts } from "../../texts/texts";
import { ChartFrame, colourOf } from "./ChartFrame";
import { axis, canvas, ChartTip, cursor, valueAxis } from "./chartParts";
import { DataTable } from "./DataTable";
import { texts as analyticsTexts } from "./texts";

interface Row extends PurposeCost {
  name: string;
}

/** What models were asked for, and what that took; the dearest first. */
export function PurposeCosts({ costs }: { costs: Readonly<Record<string, PurposeCost>> }) {
  const texts = useTexts(analyticsTexts);
  const { locale } = useSpeech();
  const rows: Row[] = Object.entries(costs)
    .map(([purpose, cost]) => ({ ...cost, name: texts.purposes[purpose] ?? purpose }))
    .sort((one, other) => tokensOf(other) - tokensOf(one));
  const series = [
    { key: "tokens_in", label: texts.tokensIn, colour: 3 },
    { key: "tokens_out", label: texts.tokensOut, colour: 2 },
  ] as const;

  return (
    <ChartFrame title={texts.purposesChart} hint={texts.purposesHint} series={series}>
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
              const values = series.map((one) => ({ ...one, value: row[one.key] }));
              return <ChartTip heading={row.name} series={values} locale={locale} />;
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
          texts.meanTime,
        ]}
        rows={rows.map((row) => [
          row.name,
          wholeNumber(row.calls, locale),
          wholeNumber(row.failed, locale),
          wholeNumber(row.tokens_in, locale),
          wholeNumber(row.tokens_out, locale),
          row.calls === 0 ? "–" : duration(row.duration_ms / row.calls, locale),
        ])}
      />
    </ChartFrame>
  );
}

function tokensOf({ tokens_in, tokens_out }: PurposeCost): number {
  return tokens_in + tokens_out;
}

import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from "recharts";
import type { AnswerCost } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { formatNumber } from "../../model/numberFormat";
import { downsample } from "../../model/savings";
import { ChartCard, colourOf } from "./ChartCard";
import { axis, canvas, ChartTooltip, grid, valueAxis } from "./chartParts";
import { DataTable } from "./DataTable";
import { useAnalyticsTexts } from "./texts";

const MAX_POINTS = 60;

/** Sent tokens and full history of each answer. */
export function AnswersChart({ answers }: { answers: readonly AnswerCost[] }) {
  const texts = useAnalyticsTexts();
  const { locale } = useLocale();
  const points = downsample(answers, MAX_POINTS);
  const series = [
    { key: "full_history_tokens", label: texts.full, colour: 8 },
    { key: "context_tokens", label: texts.sent, colour: 1 },
  ] as const;
  const numberOf = (answer: AnswerCost) => formatNumber(answer.turn, locale);
  // Keyed by seq, because a turn may have several answers.
  const turnOf = new Map(points.map((answer) => [answer.seq, numberOf(answer)]));
  const estimated = answers.filter((answer) => answer.estimated).length;
  const table = (
    <DataTable
      label={texts.answersChart}
      columns={[texts.turnHeading, ...series.map(({ label }) => label)]}
      rows={points.map((answer) => [
        numberOf(answer),
        formatNumber(answer.full_history_tokens, locale),
        (answer.estimated ? "≈ " : "") + formatNumber(answer.context_tokens, locale),
      ])}
    />
  );

  return (
    <ChartCard title={texts.answersChart} series={series} table={table}>
      <div className="chart-canvas">
        <LineChart
          {...canvas}
          data={points}
          aria-label={`${texts.answersChart}. ${texts.chartKeys}`}
        >
          <CartesianGrid {...grid} />
          <XAxis
            {...axis}
            dataKey="seq"
            minTickGap={24}
            tickFormatter={(seq: number) => turnOf.get(seq) ?? ""}
          />
          <YAxis {...valueAxis(locale)} allowDecimals={false} />
          <Tooltip
            cursor={{ stroke: "var(--line-strong)" }}
            isAnimationActive={false}
            content={({ payload }) => {
              const answer = payload[0]?.payload as AnswerCost | undefined;
              if (!answer) return null;
              const values = series.map((line) => ({ ...line, value: answer[line.key] }));
              return (
                <ChartTooltip heading={texts.turn(numberOf(answer))} series={values} locale={locale}>
                  {answer.estimated && <p className="hint">≈ {texts.estimatedMark}</p>}
                </ChartTooltip>
              );
            }}
          />
          {series.map(({ key, colour }) => (
            <Line
              key={key}
              dataKey={key}
              type="monotone"
              stroke={colourOf(colour)}
              strokeWidth={2}
              dot={points.length === 1}
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </div>
      {estimated > 0 && (
        <p className="hint">{texts.estimated(estimated, answers.length, locale)}</p>
      )}
    </ChartCard>
  );
}

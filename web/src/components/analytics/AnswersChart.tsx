import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from "recharts";
import type { AnswerCost } from "../../api/types";
import { wholeNumber } from "../../model/amounts";
import { thinned } from "../../model/savings";
import { useSpeech, useTexts } from "../../texts/texts";
import { ChartFrame, colourOf } from "./ChartFrame";
import { axis, canvas, ChartTip, grid, valueAxis } from "./chartParts";
import { DataTable } from "./DataTable";
import { texts as analyticsTexts } from "./texts";

/** More points than this would stand on each other's feet. */
const mostPoints = 60;

/** Of each answer, what was sent beside what the full history would have been. */
export function AnswersChart({ answers }: { answers: readonly AnswerCost[] }) {
  const texts = useTexts(analyticsTexts);
  const { locale } = useSpeech();
  const points = thinned(answers, mostPoints);
  const series = [
    { key: "full_history_tokens", label: texts.full, colour: 8 },
    { key: "context_tokens", label: texts.sent, colour: 1 },
  ] as const;
  const numberOf = (answer: AnswerCost) => wholeNumber(answer.turn, locale);
  // A turn may have several answers, a number only one.
  const turnOf = new Map(points.map((answer) => [answer.seq, numberOf(answer)]));
  const estimated = answers.filter((answer) => answer.estimated).length;
  const table = (
    <DataTable
      label={texts.answersChart}
      columns={[texts.turnHeading, ...series.map(({ label }) => label)]}
      rows={points.map((answer) => [
        numberOf(answer),
        wholeNumber(answer.full_history_tokens, locale),
        (answer.estimated ? "≈ " : "") + wholeNumber(answer.context_tokens, locale),
      ])}
    />
  );

  return (
    <ChartFrame title={texts.answersChart} series={series} table={table}>
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
              const values = series.map((one) => ({ ...one, value: answer[one.key] }));
              return (
                <ChartTip heading={texts.turn(numberOf(answer))} series={values} locale={locale}>
                  {answer.estimated && <p className="hint">≈ {texts.estimatedMark}</p>}
                </ChartTip>
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
    </ChartFrame>
  );
}

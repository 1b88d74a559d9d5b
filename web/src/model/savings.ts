/** What memory saves, over time: days from the server put together for a chart. */
import type { DayCost } from "../api/types";

export type Unit = "day" | "week" | "month";

/** A day, or a week or month under the day that it begins with. */
export type Period = DayCost;

export interface RunningTotal {
  day: string;
  saved: number;
}

const aDay = 86_400_000;
const mostDays = 45;
const mostWeeks = 40;

/** What was not sent, less what the digesting took. Negative as long as it has not paid off. */
export function savedIn(cost: Omit<DayCost, "day" | "compactions">): number {
  return cost.full_history_tokens - cost.context_tokens - cost.digest_tokens;
}

/** The share of a whole, or none where there is no whole. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** Without holes, since a chart would close them: every day, or every week or month of a long time. */
export function toPeriods(days: readonly DayCost[]): { unit: Unit; periods: Period[] } {
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) return { unit: "day", periods: [] };
  const unit = unitFor((Date.parse(last.day) - Date.parse(first.day)) / aDay + 1);
  const periods = new Map<string, Period>();
  for (let day = beginning(first.day, unit); day <= last.day; day = next(day, unit)) {
    periods.set(day, emptyPeriod(day));
  }
  for (const cost of days) {
    const period = periods.get(beginning(cost.day, unit));
    if (period) periods.set(period.day, sum(period, cost));
  }
  return { unit, periods: [...periods.values()] };
}

/** What has been saved up to the end of each period. */
export function runningTotals(periods: readonly Period[]): RunningTotal[] {
  let saved = 0;
  return periods.map((period) => {
    saved += savedIn(period);
    return { day: period.day, saved };
  });
}

/** At most so many of a long list, at even distances, the last one always among them. */
export function thinned<T>(items: readonly T[], most: number): T[] {
  const step = Math.ceil(items.length / most);
  return items.filter((_, index) => (items.length - 1 - index) % step === 0);
}

function unitFor(days: number): Unit {
  if (days <= mostDays) return "day";
  return days <= mostWeeks * 7 ? "week" : "month";
}

/** Weeks begin on Monday. Days are the server's, so everything is reckoned in UTC. */
function beginning(day: string, unit: Unit): string {
  if (unit === "month") return `${day.slice(0, 7)}-01`;
  if (unit === "day") return day;
  const date = new Date(day);
  return iso(date.getTime() - ((date.getUTCDay() + 6) % 7) * aDay);
}

function next(day: string, unit: Unit): string {
  const date = new Date(day);
  if (unit === "month") return iso(date.setUTCMonth(date.getUTCMonth() + 1));
  return iso(date.getTime() + (unit === "week" ? 7 : 1) * aDay);
}

function iso(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function emptyPeriod(day: string): Period {
  return { day, full_history_tokens: 0, context_tokens: 0, digest_tokens: 0, compactions: 0 };
}

function sum(period: Period, cost: DayCost): Period {
  return {
    day: period.day,
    full_history_tokens: period.full_history_tokens + cost.full_history_tokens,
    context_tokens: period.context_tokens + cost.context_tokens,
    digest_tokens: period.digest_tokens + cost.digest_tokens,
    compactions: period.compactions + cost.compactions,
  };
}

/** Token savings over time, grouped for charts. */
import type { DayCost } from "../api/types";

export type Unit = "day" | "week" | "month";

/** A day, week or month, identified by its first day. */
export type Period = Omit<DayCost, "unchanged_tokens" | "cached_tokens">;

export interface RunningTotal {
  day: string;
  saved: number;
}

const DAY_MS = 86_400_000;
const MAX_DAYS = 45;
const MAX_WEEKS = 40;

/** Tokens saved by not sending the full history, minus the cost of summaries; can be negative. */
export function savedTokens(cost: Omit<Period, "day" | "compactions">): number {
  return cost.full_history_tokens - cost.context_tokens - cost.digest_tokens;
}

/** Returns null instead of dividing by zero. */
export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** Groups days into days, weeks or months, depending on the time span; includes empty periods. */
export function groupByPeriod(days: readonly Period[]): { unit: Unit; periods: Period[] } {
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) return { unit: "day", periods: [] };
  const unit = unitFor((Date.parse(last.day) - Date.parse(first.day)) / DAY_MS + 1);
  const periods = new Map<string, Period>();
  for (let day = startOf(first.day, unit); day <= last.day; day = next(day, unit)) {
    periods.set(day, emptyPeriod(day));
  }
  for (const cost of days) {
    const period = periods.get(startOf(cost.day, unit));
    if (period) periods.set(period.day, sum(period, cost));
  }
  return { unit, periods: [...periods.values()] };
}

/** Returns the cumulative savings at the end of each period. */
export function runningTotals(periods: readonly Period[]): RunningTotal[] {
  let saved = 0;
  return periods.map((period) => {
    saved += savedTokens(period);
    return { day: period.day, saved };
  });
}

/** Returns at most `max` evenly spaced items, including the last. */
export function downsample<T>(items: readonly T[], max: number): T[] {
  const step = Math.ceil(items.length / max);
  return items.filter((_, index) => (items.length - 1 - index) % step === 0);
}

function unitFor(days: number): Unit {
  if (days <= MAX_DAYS) return "day";
  return days <= MAX_WEEKS * 7 ? "week" : "month";
}

/** Weeks start on Monday. The server's days are in UTC. */
function startOf(day: string, unit: Unit): string {
  if (unit === "month") return `${day.slice(0, 7)}-01`;
  if (unit === "day") return day;
  const date = new Date(day);
  return iso(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS);
}

function next(day: string, unit: Unit): string {
  const date = new Date(day);
  if (unit === "month") return iso(date.setUTCMonth(date.getUTCMonth() + 1));
  return iso(date.getTime() + (unit === "week" ? 7 : 1) * DAY_MS);
}

function iso(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function emptyPeriod(day: string): Period {
  return { day, full_history_tokens: 0, context_tokens: 0, digest_tokens: 0, compactions: 0 };
}

function sum(period: Period, cost: Period): Period {
  return {
    day: period.day,
    full_history_tokens: period.full_history_tokens + cost.full_history_tokens,
    context_tokens: period.context_tokens + cost.context_tokens,
    digest_tokens: period.digest_tokens + cost.digest_tokens,
    compactions: period.compactions + cost.compactions,
  };
}

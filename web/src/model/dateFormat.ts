import type { Unit } from "./savings";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Formats a past time, briefly: "5 min ago", "13 May". Times in the future are "now". */
export function relativeTime(iso: string, now: Date, locale: string): string {
  const then = new Date(iso);
  const age = now.getTime() - then.getTime();
  const ago = (amount: number, unit: Intl.RelativeTimeFormatUnit) =>
    new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" }).format(-amount, unit);
  if (age < MINUTE_MS) return ago(0, "second");
  if (age < HOUR_MS) return ago(Math.floor(age / MINUTE_MS), "minute");
  const days = calendarDaysBetween(then, now);
  if (days === 0) return ago(Math.floor(age / HOUR_MS), "hour");
  if (days < 7) return ago(days, "day");
  return new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: "short",
    ...(then.getFullYear() !== now.getFullYear() && { year: "numeric" }),
  }).format(then);
}

export type DateGroup = "today" | "yesterday" | "week" | "month" | "older";

/** Returns the group of a time in a list. */
export function dateGroup(iso: string, now: Date): DateGroup {
  const days = calendarDaysBetween(new Date(iso), now);
  if (days <= 0) return "today";
  if (days === 1) return "yesterday";
  if (days < 7) return "week";
  return days < 30 ? "month" : "older";
}

export function clockTime(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: "short" }).format(new Date(iso));
}

/** Formats the day of a time, or a date without a time, which is the same day everywhere. */
export function calendarDay(iso: string, locale: string): string {
  const isDate = !iso.includes("T");
  const format = { dateStyle: "medium", ...(isDate && { timeZone: "UTC" }) } as const;
  return new Intl.DateTimeFormat(locale, format).format(new Date(iso));
}

export function exactTime(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(iso),
  );
}

/** Formats a period for a chart axis: its first day, or its month. */
export function shortPeriod(day: string, unit: Unit, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    ...(unit === "month" ? { year: "2-digit" } : { day: "numeric" }),
    month: "short",
    timeZone: "UTC",
  }).format(new Date(day));
}

/** Formats a period in full; a week as its first and last day. */
export function longPeriod(day: string, unit: Unit, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, {
    ...(unit !== "month" && { day: "numeric" }),
    month: unit === "week" ? "short" : "long",
    year: "numeric",
    timeZone: "UTC",
  });
  const first = new Date(day);
  if (unit !== "week") return format.format(first);
  return format.formatRange(first, new Date(first.getTime() + 6 * DAY_MS));
}

/** Formats a future time ("in 2 min"); null if it has passed. */
export function timeUntil(iso: string, now: Date, locale: string): string | null {
  const seconds = Math.ceil((Date.parse(iso) - now.getTime()) / 1_000);
  if (seconds <= 0) return null;
  const format = new Intl.RelativeTimeFormat(locale, { style: "short" });
  if (seconds < 60) return format.format(seconds, "second");
  if (seconds < 3_600) return format.format(Math.ceil(seconds / 60), "minute");
  return format.format(Math.ceil(seconds / 3_600), "hour");
}

function calendarDaysBetween(then: Date, now: Date): number {
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return (midnight(now) - midnight(then)) / DAY_MS;
}

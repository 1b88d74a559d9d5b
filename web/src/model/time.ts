const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago, in as few letters as a list has room for. A clock that runs ahead is "now". */
export function relativeTime(iso: string, now: Date, locale: string): string {
  const then = new Date(iso);
  const age = now.getTime() - then.getTime();
  const ago = (amount: number, unit: Intl.RelativeTimeFormatUnit) =>
    new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" }).format(-amount, unit);
  if (age < minute) return ago(0, "second");
  if (age < hour) return ago(Math.floor(age / minute), "minute");
  const days = calendarDaysBetween(then, now);
  if (days === 0) return ago(Math.floor(age / hour), "hour");
  if (days < 7) return ago(days, "day");
  return new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: "short",
    ...(then.getFullYear() !== now.getFullYear() && { year: "numeric" }),
  }).format(then);
}

export type Period = "today" | "yesterday" | "week" | "month" | "older";

/** Where a list puts what happened then. */
export function periodOf(iso: string, now: Date): Period {
  const days = calendarDaysBetween(new Date(iso), now);
  if (days <= 0) return "today";
  if (days === 1) return "yesterday";
  if (days < 7) return "week";
  return days < 30 ? "month" : "older";
}

/** The time of day, where the day is said elsewhere. */
export function clockTime(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: "short" }).format(new Date(iso));
}

/** The moment itself, to the minute. */
export function exactTime(iso: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(iso),
  );
}

function calendarDaysBetween(then: Date, now: Date): number {
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return (midnight(now) - midnight(then)) / day;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The page is written in English, so only its dialects may shape a date. */
export function pageLocale(preferred: string): string {
  return preferred.startsWith("en") ? preferred : "en-GB";
}

/** How long ago, in as few letters as a list has room for. A clock that runs ahead is "just now". */
export function relativeTime(iso: string, now: Date, locale: string): string {
  const then = new Date(iso);
  const age = now.getTime() - then.getTime();
  if (age < minute) return "just now";
  if (age < hour) return `${Math.floor(age / minute)} min ago`;
  const days = calendarDaysBetween(then, now);
  if (days === 0) return `${Math.floor(age / hour)} h ago`;
  if (days === 1) return "yesterday";
  if (days < 7) return `${days} days ago`;
  return new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: "short",
    ...(then.getFullYear() !== now.getFullYear() && { year: "numeric" }),
  }).format(then);
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

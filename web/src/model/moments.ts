/** Days of a chart and moments to come, in the reader's words. */
import type { Unit } from "./savings";

/** A period as an axis has room for: its first day, or its month. */
export function shortDay(day: string, unit: Unit, locale: string): string {
  return new Intl.DateTimeFormat(locale, {
    ...(unit === "month" ? { year: "2-digit" } : { day: "numeric" }),
    month: "short",
    timeZone: "UTC",
  }).format(new Date(day));
}

/** A period in full; a week by its first and last day. */
export function longDay(day: string, unit: Unit, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, {
    ...(unit !== "month" && { day: "numeric" }),
    month: unit === "week" ? "short" : "long",
    year: "numeric",
    timeZone: "UTC",
  });
  const first = new Date(day);
  if (unit !== "week") return format.format(first);
  return format.formatRange(first, new Date(first.getTime() + 6 * 86_400_000));
}

/** How long it is until then: none when the moment has come. */
export function timeUntil(iso: string, now: Date, locale: string): string | null {
  const seconds = Math.ceil((Date.parse(iso) - now.getTime()) / 1_000);
  if (seconds <= 0) return null;
  const format = new Intl.RelativeTimeFormat(locale, { style: "short" });
  if (seconds < 60) return format.format(seconds, "second");
  if (seconds < 3_600) return format.format(Math.ceil(seconds / 60), "minute");
  return format.format(Math.ceil(seconds / 3_600), "hour");
}

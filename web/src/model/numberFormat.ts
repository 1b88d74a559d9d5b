export function formatNumber(amount: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(amount);
}

/** Formats a number briefly: "1.2K". */
export function formatCompact(amount: number, locale: string): string {
  return new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 }).format(
    amount,
  );
}

/** Formats whole percents, rounded down, so that only a complete share is "100 %". */
export function formatPercent(share: number, locale: string): string {
  const whole = Math.floor(share * 100 + 1e-9) / 100;
  return new Intl.NumberFormat(locale, { style: "percent" }).format(whole);
}

export function formatBytes(amount: number, locale: string): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const step = amount < 1 ? 0 : Math.min(Math.floor(Math.log10(amount) / 3), units.length - 1);
  return inUnits(amount / 1000 ** step, units[step] ?? "byte", locale);
}

export function formatDuration(milliseconds: number, locale: string): string {
  if (milliseconds < 1_000) return inUnits(milliseconds, "millisecond", locale, 0);
  if (milliseconds < 60_000) return inUnits(milliseconds / 1_000, "second", locale);
  if (milliseconds < 3_600_000) return inUnits(milliseconds / 60_000, "minute", locale);
  return inUnits(milliseconds / 3_600_000, "hour", locale);
}

function inUnits(amount: number, unit: string, locale: string, maximumFractionDigits = 1): string {
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits,
  }).format(amount);
}

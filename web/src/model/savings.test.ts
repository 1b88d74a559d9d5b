import { describe, expect, it } from "vitest";
import {
  downsample,
  groupByPeriod,
  type Period,
  ratio,
  runningTotals,
  savedTokens,
} from "./savings";

function cost(day: string, full = 100, sent = 40, digest = 10, compactions = 1): Period {
  return {
    day,
    full_history_tokens: full,
    context_tokens: sent,
    digest_tokens: digest,
    compactions,
  };
}

describe("groupByPeriod", () => {
  it("returns no periods for no days", () => {
    expect(groupByPeriod([])).toEqual({ unit: "day", periods: [] });
  });

  it("includes empty days", () => {
    const { unit, periods } = groupByPeriod([cost("2026-02-27"), cost("2026-03-02")]);
    expect(unit).toBe("day");
    expect(periods.map(({ day }) => day)).toEqual([
      "2026-02-27",
      "2026-02-28",
      "2026-03-01",
      "2026-03-02",
    ]);
    expect(periods[1]).toEqual(cost("2026-02-28", 0, 0, 0, 0));
    expect(periods[3]).toEqual(cost("2026-03-02"));
  });

  it("groups months of data into weeks that start on Monday", () => {
    const { unit, periods } = groupByPeriod([
      cost("2026-01-07"), // a Wednesday
      cost("2026-01-11"), // the Sunday after it
      cost("2026-01-12"),
      cost("2026-03-31"),
    ]);
    expect(unit).toBe("week");
    expect(periods[0]).toEqual(cost("2026-01-05", 200, 80, 20, 2));
    expect(periods[1]).toEqual(cost("2026-01-12"));
    expect(periods.at(-1)).toEqual(cost("2026-03-30"));
  });

  it("groups years of data into months", () => {
    const { unit, periods } = groupByPeriod([cost("2024-11-30"), cost("2026-02-01")]);
    expect(unit).toBe("month");
    expect(periods).toHaveLength(16);
    expect(periods.at(-1)?.day).toBe("2026-02-01");
  });

  it("keeps the total for every unit", () => {
    for (const last of ["2026-01-02", "2026-04-01", "2029-01-01"]) {
      const { periods } = groupByPeriod([cost("2026-01-01"), cost(last)]);
      expect(periods.reduce((all, period) => all + savedTokens(period), 0)).toBe(100);
    }
  });
});

describe("runningTotals", () => {
  it("falls while summaries cost more than they save", () => {
    const totals = runningTotals([cost("2026-01-01", 50, 50, 30), cost("2026-01-02", 200, 50, 0)]);
    expect(totals.map(({ saved }) => saved)).toEqual([-30, 120]);
  });
});

describe("downsample", () => {
  const numbers = Array.from({ length: 1_001 }, (_, index) => index);

  it("keeps a short list unchanged", () => {
    expect(downsample([1, 2, 3], 3)).toEqual([1, 2, 3]);
    expect(downsample([], 3)).toEqual([]);
  });

  it("keeps the last item and even distances", () => {
    const kept = downsample(numbers, 100);
    expect(kept.length).toBeLessThanOrEqual(100);
    expect(kept.at(-1)).toBe(1_000);
    expect(new Set(kept.slice(1).map((number, index) => number - (kept[index] ?? 0))).size).toBe(1);
  });
});

describe("ratio", () => {
  it("returns null for a total of zero", () => {
    expect(ratio(0, 0)).toBeNull();
    expect(ratio(-5, 10)).toBe(-0.5);
  });
});

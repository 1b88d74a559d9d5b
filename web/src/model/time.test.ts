import { describe, expect, it } from "vitest";
import { periodOf, relativeTime } from "./time";

const now = new Date(2026, 4, 20, 15, 0, 0);
const ago = (...local: [number, number, number, number?, number?, number?]) =>
  relativeTime(new Date(...local).toISOString(), now, "en-GB");

describe("relativeTime", () => {
  it.each([
    ["now", ago(2026, 4, 20, 14, 59, 30)],
    ["1 min ago", ago(2026, 4, 20, 14, 58, 30)],
    ["59 min ago", ago(2026, 4, 20, 14, 0, 30)],
    ["1 hr ago", ago(2026, 4, 20, 14, 0, 0)],
    ["15 hr ago", ago(2026, 4, 20, 0, 0, 0)],
    ["yesterday", ago(2026, 4, 19, 23, 30)],
    ["2 days ago", ago(2026, 4, 18, 23, 30)],
    ["6 days ago", ago(2026, 4, 14, 1)],
    ["13 May", ago(2026, 4, 13, 23)],
    ["31 Dec 2025", ago(2025, 11, 31, 23)],
  ])("says %s", (expected, actual) => {
    expect(actual).toBe(expected);
  });

  it("counts minutes, not days, just after midnight", () => {
    const midnight = new Date(2026, 4, 20, 0, 5);
    const before = new Date(2026, 4, 19, 23, 50);
    expect(relativeTime(before.toISOString(), midnight, "en-GB")).toBe("15 min ago");
  });

  it("does not speak of the future when a clock runs ahead", () => {
    expect(ago(2026, 4, 20, 15, 3)).toBe("now");
  });
});

describe("periodOf", () => {
  it.each([
    ["today", new Date(2026, 4, 20, 0, 1)],
    ["today", new Date(2026, 4, 20, 15, 3)],
    ["yesterday", new Date(2026, 4, 19, 23, 59)],
    ["week", new Date(2026, 4, 14, 1)],
    ["month", new Date(2026, 4, 13, 23)],
    ["older", new Date(2026, 3, 1)],
  ] as const)("says %s", (expected, then) => {
    expect(periodOf(then.toISOString(), now)).toBe(expected);
  });
});

import { afterEach, describe, expect, it, vi } from "vitest";
import { calendarDay, dateGroup, longPeriod, relativeTime, shortPeriod, timeUntil } from "./dateFormat";

const now = new Date(2026, 4, 20, 15, 0, 0);
const ago = (...local: [number, number, number, number?, number?, number?]) =>
  relativeTime(new Date(...local).toISOString(), now, "en-GB");

afterEach(() => {
  vi.unstubAllEnvs();
});

it("formats a date as the same day everywhere", () => {
  vi.stubEnv("TZ", "America/New_York");
  expect(calendarDay("2024-06-04T02:00:00Z", "en-GB")).toBe("3 Jun 2024");
  expect(calendarDay("2024-06-04", "en-GB")).toBe("4 Jun 2024");
});

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
  ])("returns %s", (expected, actual) => {
    expect(actual).toBe(expected);
  });

  it("counts minutes just after midnight", () => {
    const midnight = new Date(2026, 4, 20, 0, 5);
    const before = new Date(2026, 4, 19, 23, 50);
    expect(relativeTime(before.toISOString(), midnight, "en-GB")).toBe("15 min ago");
  });

  it("returns 'now' for a time in the future", () => {
    expect(ago(2026, 4, 20, 15, 3)).toBe("now");
  });
});

describe("dateGroup", () => {
  it.each([
    ["today", new Date(2026, 4, 20, 0, 1)],
    ["today", new Date(2026, 4, 20, 15, 3)],
    ["yesterday", new Date(2026, 4, 19, 23, 59)],
    ["week", new Date(2026, 4, 14, 1)],
    ["month", new Date(2026, 4, 13, 23)],
    ["older", new Date(2026, 3, 1)],
  ] as const)("returns %s", (expected, then) => {
    expect(dateGroup(then.toISOString(), now)).toBe(expected);
  });
});

describe("periods", () => {
  it("are formatted in UTC", () => {
    expect(shortPeriod("2026-03-01", "day", "en-GB")).toBe("1 Mar");
    expect(longPeriod("2026-03-01", "day", "it")).toBe("1 marzo 2026");
  });

  it("cover a week or a month", () => {
    expect(longPeriod("2026-03-30", "week", "en-GB")).toMatch(/^30 Mar.*5 Apr 2026$/);
    expect(longPeriod("2026-03-01", "month", "en-GB")).toBe("March 2026");
    expect(shortPeriod("2026-03-01", "month", "en-GB")).toMatch(/^Mar.*26$/);
  });
});

describe("timeUntil", () => {
  const now = new Date("2026-03-01T12:00:00Z");

  it("picks a fitting unit", () => {
    expect(timeUntil("2026-03-01T12:00:40Z", now, "en-GB")).toMatch(/^in 40 s/);
    expect(timeUntil("2026-03-01T12:01:30Z", now, "en-GB")).toMatch(/^in 2 min/);
    expect(timeUntil("2026-03-02T03:00:00Z", now, "en-GB")).toMatch(/^in 15 h/);
  });

  it("returns null once the time has passed", () => {
    expect(timeUntil("2026-03-01T12:00:00Z", now, "en-GB")).toBeNull();
    expect(timeUntil("2026-02-01T12:00:00Z", now, "en-GB")).toBeNull();
  });
});

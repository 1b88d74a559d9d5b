import { describe, expect, it } from "vitest";
import { pageLocale, relativeTime } from "./time";

const now = new Date(2026, 4, 20, 15, 0, 0);
const ago = (...local: [number, number, number, number?, number?, number?]) =>
  relativeTime(new Date(...local).toISOString(), now, "en-GB");

describe("relativeTime", () => {
  it.each([
    ["just now", ago(2026, 4, 20, 14, 59, 30)],
    ["1 min ago", ago(2026, 4, 20, 14, 58, 30)],
    ["59 min ago", ago(2026, 4, 20, 14, 0, 30)],
    ["1 h ago", ago(2026, 4, 20, 14, 0, 0)],
    ["15 h ago", ago(2026, 4, 20, 0, 0, 0)],
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
    expect(ago(2026, 4, 20, 15, 3)).toBe("just now");
  });
});

describe("pageLocale", () => {
  it("keeps an English dialect and gives others plain English", () => {
    expect(pageLocale("en-US")).toBe("en-US");
    expect(pageLocale("it-IT")).toBe("en-GB");
  });
});

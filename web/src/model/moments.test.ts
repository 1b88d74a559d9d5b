import { describe, expect, it } from "vitest";
import { longDay, shortDay, timeUntil } from "./moments";

describe("days", () => {
  it("are the server's, wherever the reader is", () => {
    expect(shortDay("2026-03-01", "day", "en-GB")).toBe("1 Mar");
    expect(longDay("2026-03-01", "day", "it")).toBe("1 marzo 2026");
  });

  it("stand for their week or month", () => {
    expect(longDay("2026-03-30", "week", "en-GB")).toMatch(/^30 Mar.*5 Apr 2026$/);
    expect(longDay("2026-03-01", "month", "en-GB")).toBe("March 2026");
    expect(shortDay("2026-03-01", "month", "en-GB")).toMatch(/^Mar.*26$/);
  });
});

describe("timeUntil", () => {
  const now = new Date("2026-03-01T12:00:00Z");

  it("is in the unit that fits", () => {
    expect(timeUntil("2026-03-01T12:00:40Z", now, "en-GB")).toMatch(/^in 40 s/);
    expect(timeUntil("2026-03-01T12:01:30Z", now, "en-GB")).toMatch(/^in 2 min/);
    expect(timeUntil("2026-03-02T03:00:00Z", now, "en-GB")).toMatch(/^in 15 h/);
  });

  it("is over when the moment has come", () => {
    expect(timeUntil("2026-03-01T12:00:00Z", now, "en-GB")).toBeNull();
    expect(timeUntil("2026-02-01T12:00:00Z", now, "en-GB")).toBeNull();
  });
});

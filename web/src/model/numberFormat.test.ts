import { describe, expect, it } from "vitest";
import { formatBytes, formatDuration, formatPercent, formatCompact } from "./numberFormat";

const en = "en-GB";

describe("formatPercent", () => {
  it("rounds down", () => {
    expect(formatPercent(0.999, en)).toBe("99%");
    expect(formatPercent(1, en)).toBe("100%");
    expect(formatPercent(0.29, en)).toBe("29%");
    expect(formatPercent(-0.5, en)).toBe("-50%");
  });
});

describe("formatBytes", () => {
  it("picks a unit up to gigabytes", () => {
    expect(formatBytes(0, en)).toBe("0 byte");
    expect(formatBytes(999, en)).toBe("999 byte");
    expect(formatBytes(2_000_000, en)).toBe("2 MB");
    expect(formatBytes(2_500_000_000, en)).toBe("2.5 GB");
    expect(formatBytes(7e12, en)).toBe("7,000 GB");
  });
});

describe("formatDuration", () => {
  it("picks a unit from milliseconds to hours", () => {
    expect(formatDuration(340, en)).toBe("340 ms");
    expect(formatDuration(1_250, en)).toMatch(/^1\.3 s/);
    expect(formatDuration(90_000, en)).toMatch(/^1\.5 m/);
    expect(formatDuration(7_200_000, en)).toMatch(/^2 h/);
  });
});

describe("formatCompact", () => {
  it("follows the locale", () => {
    expect(formatCompact(1_250_000, "en-US")).toBe("1.3M");
    expect(formatCompact(1_250_000, "it")).toMatch(/^1,3/);
    expect(formatCompact(950, en)).toBe("950");
  });
});

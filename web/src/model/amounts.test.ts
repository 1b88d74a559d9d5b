import { describe, expect, it } from "vitest";
import { bytes, duration, percent, shortNumber } from "./amounts";

const en = "en-GB";

describe("percent", () => {
  it("says all only of all", () => {
    expect(percent(0.999, en)).toBe("99%");
    expect(percent(1, en)).toBe("100%");
    expect(percent(0.29, en)).toBe("29%");
    expect(percent(-0.5, en)).toBe("-50%");
  });
});

describe("bytes", () => {
  it("takes the unit that fits, and no larger one than it knows", () => {
    expect(bytes(0, en)).toBe("0 byte");
    expect(bytes(999, en)).toBe("999 byte");
    expect(bytes(2_000_000, en)).toBe("2 MB");
    expect(bytes(2_500_000_000, en)).toBe("2.5 GB");
    expect(bytes(7e12, en)).toBe("7,000 GB");
  });
});

describe("duration", () => {
  it("goes from milliseconds to hours", () => {
    expect(duration(340, en)).toBe("340 ms");
    expect(duration(1_250, en)).toMatch(/^1\.3 s/);
    expect(duration(90_000, en)).toMatch(/^1\.5 m/);
    expect(duration(7_200_000, en)).toMatch(/^2 h/);
  });
});

describe("shortNumber", () => {
  it("follows the reader's notation", () => {
    expect(shortNumber(1_250_000, "en-US")).toBe("1.3M");
    expect(shortNumber(1_250_000, "it")).toMatch(/^1,3/);
    expect(shortNumber(950, en)).toBe("950");
  });
});

import { describe, expect, it } from "vitest";
import { resolveLocale, counted } from "./i18n";

describe("resolveLocale", () => {
  it("keeps the user's region", () => {
    expect(resolveLocale(["en-US", "it"], null)).toEqual({ language: "en", locale: "en-US" });
    expect(resolveLocale(["it-CH"], null)).toEqual({ language: "it", locale: "it-CH" });
  });

  it("takes the first supported language and falls back to English", () => {
    expect(resolveLocale(["fil-PH", "it-IT"], null).language).toBe("it");
    expect(resolveLocale(["fil-PH"], null)).toEqual({ language: "en", locale: "en-GB" });
  });

  it("prefers the chosen language", () => {
    expect(resolveLocale(["en-US"], "it")).toEqual({ language: "it", locale: "it" });
  });
});

describe("counted", () => {
  it("uses the singular for one and groups digits", () => {
    expect(counted(1, "message", "messages", "en-GB")).toBe("1 message");
    expect(counted(10_000, "messaggio", "messaggi", "it")).toBe("10.000 messaggi");
  });
});

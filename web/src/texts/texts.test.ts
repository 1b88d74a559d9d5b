import { describe, expect, it } from "vitest";
import { chooseSpeech, counted } from "./texts";

describe("chooseSpeech", () => {
  it("keeps the reader's dialect", () => {
    expect(chooseSpeech(["en-US", "it"], null)).toEqual({ language: "en", locale: "en-US" });
    expect(chooseSpeech(["it-CH"], null)).toEqual({ language: "it", locale: "it-CH" });
  });

  it("goes down the reader's list, and speaks English at its end", () => {
    expect(chooseSpeech(["fil-PH", "it-IT"], null).language).toBe("it");
    expect(chooseSpeech(["fil-PH"], null)).toEqual({ language: "en", locale: "en-GB" });
  });

  it("does what the reader chose", () => {
    expect(chooseSpeech(["en-US"], "it")).toEqual({ language: "it", locale: "it" });
  });
});

describe("counted", () => {
  it("knows one from many, and groups digits", () => {
    expect(counted(1, "message", "messages", "en-GB")).toBe("1 message");
    expect(counted(10_000, "messaggio", "messaggi", "it")).toBe("10.000 messaggi");
  });
});

import { describe, expect, it } from "vitest";
import type { Message } from "../api/types";
import { codePointCount, locatePassage, passageText, rangeWithin, utf16Index } from "./passages";

const message = (content: string, tool_calls: object[] | null = null) =>
  ({ content, tool_calls }) as Message;

describe("locatePassage", () => {
  it("converts code points", () => {
    const content = "A 🚋 and a 🚆 to Sintra.";
    const range = { start: 2, end: 5 };
    const { content: found } = locatePassage(message(content), range);
    expect(content.slice(found!.start, found!.end)).toBe("🚋 a");
    expect(utf16Index(content, 11)).toBe(13);
    expect(codePointCount(content)).toBe(content.length - 2);
  });

  it("limits a passage to the text", () => {
    expect(passageText(message("To Lisbon."), { start: 3, end: 2 ** 31 - 1 })).toBe("Lisbon.");
    expect(locatePassage(message("To Lisbon."), { start: 40, end: 60 })).toEqual({
      content: null,
      results: new Map(),
    });
  });

  it("finds results of tool calls behind the content", () => {
    const calls = [
      { tool_name: "map", output: null },
      { tool_name: "weather", output: "mild and dry" },
      { tool_name: "trams", output: { lines: [12, 28], sights: "São Jorge" } },
    ];
    const answer = message("Look 🚋", calls);
    // What the server searches.
    const text = 'Look 🚋\n\nweather: mild and dry\n\ntrams: {"lines": [12, 28], "sights": "São Jorge"}';
    const passage = (part: string) => {
      const start = codePointCount(text.slice(0, text.indexOf(part)));
      return { start, end: start + codePointCount(part) };
    };
    expect(locatePassage(answer, passage("and dry"))).toEqual({
      content: null,
      results: new Map([[1, "and dry"]]),
    });
    expect(passageText(answer, passage("[12, 28]"))).toBe("[12, 28]");
    expect(locatePassage(answer, passage("São Jorge")).results).toEqual(new Map([[2, "São Jorge"]]));
    expect(locatePassage(answer, passage(text)).results.size).toBe(2);
    expect(passageText(message("", calls), { start: 9, end: 13 })).toBe("mild");
  });
});

it("returns the part of a range within a segment", () => {
  expect(rangeWithin({ start: 4, end: 9 }, 6, 10)).toEqual({ start: 0, end: 3 });
  expect(rangeWithin({ start: 4, end: 9 }, 0, 6)).toEqual({ start: 4, end: 6 });
  expect(rangeWithin({ start: 4, end: 9 }, 9, 6)).toBeNull();
});

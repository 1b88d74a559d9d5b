import { expect, it } from "vitest";
import { matchingWords } from "./matches";

it("finds the words of a query", () => {
  const text = "Il CAFFE è in città, non a Cittadella.";
  const found = matchingWords(text, "caffè in citta").map(({ start, end }) => text.slice(start, end));
  expect(found).toEqual(["CAFFE", "città"]);
  expect(matchingWords(text, "a, non!")).toEqual([]);
  expect(matchingWords("Il tram 28", "il 28")).toEqual([{ start: 8, end: 10 }]);
  expect(matchingWords("东京的天气", "天气")).toHaveLength(1);
});

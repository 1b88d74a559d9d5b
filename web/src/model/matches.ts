import { normalize } from "./normalize";
import type { TextRange } from "./passages";

const words = new Intl.Segmenter(undefined, { granularity: "word" });
const MIN_LENGTH = 3;

/** Returns where the words of a query occur in a text, regardless of case and accents. */
export function matchingWords(text: string, query: string): TextRange[] {
  const wanted = new Set(wordsOf(query).map(({ segment }) => normalize(segment)));
  return wordsOf(text)
    .filter(({ segment }) => wanted.has(normalize(segment)))
    .map(({ segment, index }) => ({ start: index, end: index + segment.length }));
}

function wordsOf(text: string): Intl.SegmentData[] {
  return [...words.segment(text)].filter(
    ({ segment, isWordLike }) => isWordLike && segment.length >= MIN_LENGTH,
  );
}

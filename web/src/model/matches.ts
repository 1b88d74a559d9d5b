import { normalize } from "./normalize";
import type { TextRange } from "./passages";

const words = new Intl.Segmenter(undefined, { granularity: "word" });
/** Shorter Latin words are mostly function words. */
const MIN_LATIN_LENGTH = 4;

/** Returns where the words of a query occur in a text, regardless of case and accents. */
export function matchingWords(text: string, query: string): TextRange[] {
  const wanted = new Set(wordsOf(query).map(({ segment }) => normalize(segment)));
  return wordsOf(text)
    .filter(({ segment }) => wanted.has(normalize(segment)))
    .map(({ segment, index }) => ({ start: index, end: index + segment.length }));
}

function wordsOf(text: string): Intl.SegmentData[] {
  const isMeaningful = (word: string) =>
    word.length >= MIN_LATIN_LENGTH || !/^\p{Script=Latin}+$/u.test(word);
  return [...words.segment(text)].filter(
    ({ segment, isWordLike }) => isWordLike && isMeaningful(segment),
  );
}

/**
 * The page's own words, in every language it speaks.
 *
 * Each part of the page has its texts beside it (`texts.ts` in its folder): plain strings, and
 * functions where a number or a name comes in. English sets the shape, and the type checker tells
 * what another language lacks.
 */
import { createContext, use } from "react";

export const languages = { en: "English", it: "Italiano" } as const;

export type Language = keyof typeof languages;

interface Speech {
  language: Language;
  /** For numbers and dates: the reader's dialect of the language. */
  locale: string;
}

export function defineTexts<T>(en: T, it: T): Record<Language, T> {
  return { en, it };
}

/** The first of the reader's languages that the page speaks, in the reader's dialect. */
export function chooseSpeech(preferred: readonly string[], chosen: Language | null): Speech {
  const spoken = (tag: string) => Object.keys(languages).find((name) => tag.split("-")[0] === name);
  const language = chosen ?? (preferred.map(spoken).find(Boolean) as Language | undefined) ?? "en";
  const fallback = language === "en" ? "en-GB" : language;
  return { language, locale: preferred.find((tag) => spoken(tag) === language) ?? fallback };
}

export const SpeechContext = createContext<Speech>({ language: "en", locale: "en-GB" });

export function useSpeech(): Speech {
  return use(SpeechContext);
}

export function useTexts<T>(texts: Record<Language, T>): T {
  return texts[useSpeech().language];
}

/** "1 message", "2 messages": `one` and `many` without the number. */
export function counted(amount: number, one: string, many: string, locale: string): string {
  return `${amount.toLocaleString(locale)} ${amount === 1 ? one : many}`;
}

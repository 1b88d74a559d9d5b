/**
 * The app's translations.
 *
 * Each component folder has its texts in `texts.ts`: strings, and functions for texts with numbers
 * or names. English defines the type, so a missing translation is a type error.
 */
import { createContext, use } from "react";

export const languages = { en: "English", it: "Italiano" } as const;

export type Language = keyof typeof languages;

interface Locale {
  language: Language;
  /** BCP 47 tag for numbers and dates, with the user's region. */
  locale: string;
}

/** Returns the first preferred language that the app has, with the user's region. */
export function resolveLocale(preferred: readonly string[], chosen: Language | null): Locale {
  const languageOf = (tag: string) => Object.keys(languages).find((name) => tag.split("-")[0] === name);
  const language = chosen ?? (preferred.map(languageOf).find(Boolean) as Language | undefined) ?? "en";
  const fallback = language === "en" ? "en-GB" : language;
  return { language, locale: preferred.find((tag) => languageOf(tag) === language) ?? fallback };
}

export const LocaleContext = createContext<Locale>({ language: "en", locale: "en-GB" });

export function useLocale(): Locale {
  return use(LocaleContext);
}

/** Returns a hook that gives the texts in the current language. */
export function createTexts<T>(en: T, it: T): () => T {
  return function useTexts() {
    return { en, it }[useLocale().language];
  };
}

/** Formats a count: "1 message", "2 messages". */
export function counted(count: number, one: string, many: string, locale: string): string {
  return `${count.toLocaleString(locale)} ${count === 1 ? one : many}`;
}

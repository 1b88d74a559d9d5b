import { useSyncExternalStore } from "react";
import type { Language } from "../i18n/i18n";
import { readStorage, writeStorage } from "./useLocalStorage";

export interface Preferences {
  theme: "system" | "light" | "dark";
  language: Language | null;
}

export const PREFERENCES_KEY = "recollect.preferences";
const defaults: Preferences = { theme: "system", language: null };
const listeners = new Set<() => void>();
let current = read();

function read(): Preferences {
  return { ...defaults, ...readStorage<Partial<Preferences>>(PREFERENCES_KEY, {}) };
}

function apply(): void {
  const { theme } = current;
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Applies the stored theme before the first render. */
export function startPreferences(): void {
  window.addEventListener("storage", (event) => {
    if (event.key !== PREFERENCES_KEY) return;
    current = read();
    apply();
  });
  apply();
}

export function setPreferences(changes: Partial<Preferences>): void {
  current = { ...current, ...changes };
  writeStorage(PREFERENCES_KEY, current);
  apply();
}

/** The user's preferences, stored in the browser and shared between tabs. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, () => current);
}

import { useSyncExternalStore } from "react";
import type { Language } from "../texts/texts";
import { readKept, writeKept } from "./useKept";

export interface Preferences {
  theme: "system" | "light" | "dark";
  language: Language | null;
}

export const preferencesName = "recollect.preferences";
const defaults: Preferences = { theme: "system", language: null };
const listeners = new Set<() => void>();
let current = read();

function read(): Preferences {
  return { ...defaults, ...readKept<Partial<Preferences>>(preferencesName, {}) };
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

/** Shows the page as its reader wants it, from the first picture on. */
export function startPreferences(): void {
  window.addEventListener("storage", (event) => {
    if (event.key !== preferencesName) return;
    current = read();
    apply();
  });
  apply();
}

export function setPreferences(changes: Partial<Preferences>): void {
  current = { ...current, ...changes };
  writeKept(preferencesName, current);
  apply();
}

/** How the reader wants the page: kept in this browser, and the same in all its tabs. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, () => current);
}

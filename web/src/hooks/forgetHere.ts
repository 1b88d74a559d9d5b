import { readKept, writeKept } from "./useKept";
import { preferencesName } from "./usePreferences";

const prefix = "recollect.";
const ownerName = `${prefix}user`;

const listeners = new Set<() => void>();

/** Calls `listener` when what this browser has kept of its user is gone. */
export function onForgotten(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Drafts, and what was read: nothing of a user stays. How the page looks is the browser's own. */
export function forgetHere(): void {
  try {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(prefix) && name !== preferencesName) localStorage.removeItem(name);
    }
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
  listeners.forEach((listener) => listener());
}

/** What this browser keeps is from now on this user's; what was another's is forgotten. */
export function keepFor(userId: string): void {
  const owner = readKept<string | null>(ownerName, null);
  if (owner === userId) return;
  if (owner !== null) forgetHere();
  writeKept(ownerName, userId);
}

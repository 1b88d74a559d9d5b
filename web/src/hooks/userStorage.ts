import { readStorage, writeStorage } from "./useLocalStorage";
import { PREFERENCES_KEY } from "./usePreferences";

const PREFIX = "recollect.";
const OWNER_KEY = `${PREFIX}user`;

const listeners = new Set<() => void>();

export function onStorageCleared(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Removes the user's drafts and read states. Preferences belong to the browser and stay. */
export function clearUserStorage(): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX) && key !== PREFERENCES_KEY) localStorage.removeItem(key);
    }
  } catch {
    // Storage is disabled.
  }
  listeners.forEach((listener) => listener());
}

/** Sets the user that the stored data belongs to, and clears another user's data. */
export function setStorageOwner(userId: string): void {
  const owner = readStorage<string | null>(OWNER_KEY, null);
  if (owner === userId) return;
  if (owner !== null) clearUserStorage();
  writeStorage(OWNER_KEY, userId);
}

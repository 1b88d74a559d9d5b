import { useCallback, useState } from "react";

/** State that is stored in the browser under a key. Without storage it lasts until unmount. */
export function useLocalStorage<T>(key: string, initial: T): [T, (value: T) => void] {
  const [state, setState] = useState(() => ({ key, value: readStorage(key, initial) }));
  const isStale = state.key !== key;
  const value = isStale ? readStorage(key, initial) : state.value;
  if (isStale) setState({ key, value });

  const setValue = useCallback(
    (changed: T) => {
      setState({ key, value: changed });
      writeStorage(key, changed);
    },
    [key],
  );

  return [value, setValue];
}

export function readStorage<T>(key: string, fallback: T): T {
  try {
    const stored = localStorage.getItem(key);
    return stored === null ? fallback : (JSON.parse(stored) as T);
  } catch {
    return fallback;
  }
}

const EMPTY_VALUES = new Set(['""', "{}", "false"]);

/** Writes a value; removes the key if the value is empty. */
export function writeStorage(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    if (EMPTY_VALUES.has(text)) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Storage is disabled or full.
  }
}

export function moveStorage(from: string, to: string): void {
  const value = readStorage<unknown>(from, "");
  writeStorage(to, value);
  writeStorage(from, "");
}

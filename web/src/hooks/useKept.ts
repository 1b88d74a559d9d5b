import { useCallback, useState } from "react";

/**
 * A value that this browser keeps under a name, across reloads. Another name is another value; a
 * browser that keeps nothing has it as long as it is shown.
 */
export function useKept<T>(name: string, empty: T): [T, (value: T) => void] {
  const [state, setState] = useState(() => ({ name, value: readKept(name, empty) }));
  const isOther = state.name !== name;
  const value = isOther ? readKept(name, empty) : state.value;
  if (isOther) setState({ name, value });

  const keep = useCallback(
    (changed: T) => {
      setState({ name, value: changed });
      writeKept(name, changed);
    },
    [name],
  );

  return [value, keep];
}

export function readKept<T>(name: string, empty: T): T {
  try {
    const stored = localStorage.getItem(name);
    return stored === null ? empty : (JSON.parse(stored) as T);
  } catch {
    return empty;
  }
}

const emptyTexts = new Set(['""', "{}", "false"]);

/** Nothing is kept of what is empty. */
export function writeKept(name: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    if (emptyTexts.has(text)) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // Then it lasts as long as it is shown.
  }
}

/** Keeps under another name what was kept under this one. */
export function moveKept(from: string, to: string): void {
  const value = readKept<unknown>(from, "");
  writeKept(to, value);
  writeKept(from, "");
}

import { useLayoutEffect, useRef, type FocusEvent } from "react";

/**
 * Keeps the focus in a list when the item that has it goes away: it passes to the one that takes
 * its place, and from the last one to the page. The items are the list's children, each with its
 * id in `data-id`.
 */
export function useKeptFocus<T extends HTMLElement>(ids: readonly string[]) {
  const list = useRef<T>(null);
  const last = useRef<{ id: string; at: number } | null>(null);

  useLayoutEffect(() => {
    const was = last.current;
    if (was === null || ids.includes(was.id)) return;
    last.current = null;
    if (document.activeElement !== document.body) return;
    const items = list.current?.querySelectorAll<HTMLElement>(":scope > [data-id]") ?? [];
    const next = items[Math.min(was.at, items.length - 1)] ?? document.getElementById("main");
    next?.focus();
  }, [ids]);

  const onFocus = (event: FocusEvent) => {
    const item = (event.target as HTMLElement).closest<HTMLElement>("[data-id]");
    const id = item?.dataset["id"];
    last.current = id === undefined ? null : { id, at: ids.indexOf(id) };
  };

  return { ref: list, onFocus };
}

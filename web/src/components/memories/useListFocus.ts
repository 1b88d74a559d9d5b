import { useLayoutEffect, useRef, type FocusEvent } from "react";

/**
 * Moves the focus to the next item when the focused one is removed from a list, or to the page if
 * the list is empty. Items are children of the list with a `data-id`.
 */
export function useListFocus<T extends HTMLElement>(ids: readonly string[]) {
  const list = useRef<T>(null);
  const last = useRef<{ id: string; index: number } | null>(null);

  useLayoutEffect(() => {
    const focused = last.current;
    if (focused === null || ids.includes(focused.id)) return;
    last.current = null;
    if (document.activeElement !== document.body) return;
    const items = list.current?.querySelectorAll<HTMLElement>(":scope > [data-id]") ?? [];
    const next = items[Math.min(focused.index, items.length - 1)] ?? document.getElementById("main");
    next?.focus();
  }, [ids]);

  const onFocus = (event: FocusEvent) => {
    const item = (event.target as HTMLElement).closest<HTMLElement>("[data-id]");
    const id = item?.dataset["id"];
    last.current = id === undefined ? null : { id, index: ids.indexOf(id) };
  };

  return { ref: list, onFocus };
}

import { useCallback, useLayoutEffect, useRef, type RefObject } from "react";
import type { Message } from "../api/types";

const nearEnd = 48;

interface Anchor {
  first: Element;
  top: number;
}

/**
 * Opens a transcript at its end, keeps it there while messages arrive, and holds the text still
 * when older messages appear above it.
 *
 * After each change the place of the topmost message is noted. If that message stands lower after
 * the next change, something was put above it, and the view moves down by as much.
 */
export function useTranscriptScroll(
  newestFirst: readonly Message[],
): { box: RefObject<HTMLDivElement | null>; onScroll: () => void } {
  const box = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor | null>(null);
  const atEnd = useRef(true);

  useLayoutEffect(() => {
    const view = box.current;
    const first = view?.querySelector("[data-message]");
    if (!view || !first) return;
    const placeOf = (element: Element) =>
      element.getBoundingClientRect().top - view.getBoundingClientRect().top + view.scrollTop;

    const old = anchor.current;
    if (atEnd.current) view.scrollTop = view.scrollHeight;
    else if (old?.first.isConnected) view.scrollTop += placeOf(old.first) - old.top;
    anchor.current = { first, top: placeOf(first) };
  }, [newestFirst]);

  const onScroll = useCallback(() => {
    const view = box.current;
    if (view) atEnd.current = view.scrollHeight - view.scrollTop - view.clientHeight < nearEnd;
  }, []);

  return { box, onScroll };
}

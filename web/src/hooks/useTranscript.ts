import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Row } from "../model/rows";
import { isAt } from "../session/ChatSession";
import type { Chat } from "./useChat";
import { useNavigation } from "./useRoute";

/** How near the end counts as being there, and how far from an edge more is fetched. */
const nearEnd = 64;
const ahead = 800;
/** For how long after a touch it is the reader who scrolls, and not the measuring of rows. */
const readersOwn = 1_000;
const touches = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

export interface TranscriptView {
  box: RefObject<HTMLDivElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  /** Whether rows have been put before the first one: then the text below holds still. */
  shift: boolean;
  onScroll: (offset: number) => void;
  /** Whether the end is out of sight. */
  isAway: boolean;
  toEnd: () => void;
}

/**
 * Opens a transcript at its end or at a place, stays at the end while words arrive, unless the
 * reader has scrolled away from it, and fetches more before an edge is reached.
 */
export function useTranscript(
  rows: readonly Row[],
  chat: Chat,
  place: string | null,
): TranscriptView {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const isAtEnd = useRef(true);
  const firstKey = useRef<string | null>(null);
  /** The visits on which the place was asked for, and shown. */
  const asked = useRef(-1);
  const shown = useRef(-1);
  const lastTouched = useRef(-Infinity);
  const [isAway, setAway] = useState(false);
  const { visit } = useNavigation();
  const { conversationId, hasOlder, hasNewer, loading, loadOlder, loadNewer, show, showLatest } = chat;

  const shift = prepended(rows, firstKey.current);
  useLayoutEffect(() => {
    firstKey.current = firstMessageKey(rows);
  }, [rows]);

  const target = place === null ? -1 : rows.findIndex((row) => isRowAt(row, place));
  useLayoutEffect(() => {
    if (target < 0 || shown.current === visit) return;
    shown.current = visit;
    isAtEnd.current = false;
    list.current?.scrollToIndex(target, { align: "center" });
  }, [target, visit]);

  useEffect(() => {
    if (place === null || loading === "all" || asked.current === visit) return;
    asked.current = visit;
    void show(place);
  }, [place, visit, loading, show]);

  const { pending } = chat;
  useLayoutEffect(() => {
    if (isAtEnd.current) scrollToEnd(box.current);
  }, [rows, pending]);

  useEffect(() => {
    const view = box.current;
    const column = view?.firstElementChild;
    if (!view || !column) return;
    // Rows are measured once they are drawn, so the end may move after the jump to it.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) scrollToEnd(view);
    });
    observer.observe(column);
    const touch = () => {
      lastTouched.current = performance.now();
    };
    touches.forEach((kind) => view.addEventListener(kind, touch, { passive: true }));
    return () => {
      observer.disconnect();
      touches.forEach((kind) => view.removeEventListener(kind, touch));
    };
  }, []);

  const opensAtEnd = place === null;
  useLayoutEffect(() => {
    isAtEnd.current = opensAtEnd;
    setAway(false);
  }, [conversationId, opensAtEnd]);

  const onScroll = useCallback(
    (offset: number) => {
      const view = box.current;
      if (!view) return;
      const rest = view.scrollHeight - offset - view.clientHeight;
      const isReader = performance.now() - lastTouched.current < readersOwn;
      if (isReader || rest < nearEnd) isAtEnd.current = rest < nearEnd && !hasNewer;
      setAway(rest > view.clientHeight || hasNewer);
      if (offset < ahead && hasOlder) void loadOlder();
      if (rest < ahead && hasNewer) void loadNewer();
    },
    [hasOlder, hasNewer, loadOlder, loadNewer],
  );

  const toEnd = useCallback(() => {
    isAtEnd.current = true;
    void showLatest().then(() => scrollToEnd(box.current));
  }, [showLatest]);

  return { box, list, shift, onScroll, isAway, toEnd };
}

function scrollToEnd(view: HTMLElement | null): void {
  if (view) view.scrollTop = view.scrollHeight;
}

function firstMessageKey(rows: readonly Row[]): string | null {
  return rows.find((row) => row.kind === "message")?.key ?? null;
}

function prepended(rows: readonly Row[], before: string | null): boolean {
  return before !== null && firstMessageKey(rows) !== before && rows.some((row) => row.key === before);
}

function isRowAt(row: Row, place: string): boolean {
  return row.kind === "message" && isAt(row.message, place);
}

import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Message } from "../api/types";
import type { Row } from "../model/rows";
import { isAt } from "../model/place";
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
 *
 * Rows are measured once they are drawn, so the view also moves by itself. Whether it stays at the
 * end is therefore decided by the reader's own scrolling, by a place to go to, and by asking.
 */
export function useTranscript(
  rows: readonly Row[],
  chat: Chat,
  place: string | null,
): TranscriptView {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const staysAtEnd = useRef(true);
  const firstKey = useRef<string | null>(null);
  /** The visits on which the place was asked for, and shown. */
  const asked = useRef(-1);
  const shown = useRef(-1);
  const lastTouched = useRef(-Infinity);
  const lastSeen = useRef({ offset: 0, height: 0 });
  const [isAway, setAway] = useState(false);
  const { visit } = useNavigation();
  const { isPlaceGone } = chat;
  const { conversationId, hasOlder, hasNewer, loading, loadOlder, loadNewer, show, showLatest } = chat;

  const shift = prepended(rows, firstKey.current);
  useLayoutEffect(() => {
    firstKey.current = firstMessageKey(rows);
  }, [rows]);

  const opensAtEnd = place === null;
  useLayoutEffect(() => {
    staysAtEnd.current = opensAtEnd;
    setAway(false);
  }, [conversationId, opensAtEnd]);

  const target = place === null ? -1 : rowAt(rows, chat.messages, place);
  useLayoutEffect(() => {
    if (target < 0 || shown.current === visit) return;
    shown.current = visit;
    staysAtEnd.current = false;
    list.current?.scrollToIndex(target, { align: "center" });
  }, [target, visit]);

  useEffect(() => {
    if (place === null || loading === "all" || asked.current === visit) return;
    asked.current = visit;
    if (!isPlaceGone) void show(place);
  }, [place, visit, loading, isPlaceGone, show]);

  // Whoever asks wants to see the answer.
  const isAsking = chat.pending !== null || chat.answering?.replaces != null;
  useLayoutEffect(() => {
    if (isAsking) staysAtEnd.current = true;
  }, [isAsking]);

  const { pending } = chat;
  useLayoutEffect(() => {
    if (staysAtEnd.current) scrollToEnd(box.current);
  }, [rows, pending]);

  // What does not fill the view cannot be scrolled, so there would be no way to the rest.
  useEffect(() => {
    const view = box.current;
    if (!view || !hasOlder || loading !== null) return;
    if (view.scrollHeight < view.clientHeight + ahead) void loadOlder();
  }, [rows, hasOlder, loading, loadOlder]);

  useEffect(() => {
    const view = box.current;
    const column = view?.firstElementChild;
    if (!view || !column) return;
    const observer = new ResizeObserver(() => {
      if (staysAtEnd.current) scrollToEnd(view);
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

  const onScroll = useCallback(
    (offset: number) => {
      const view = box.current;
      if (!view) return;
      const height = view.scrollHeight;
      const rest = height - offset - view.clientHeight;
      const before = lastSeen.current;
      lastSeen.current = { offset, height };
      // Find-in-page and screen readers scroll without touching anything.
      const isPulledUp = height === before.height && offset < before.offset - nearEnd;
      const isReader = performance.now() - lastTouched.current < readersOwn || isPulledUp;
      if (isReader) staysAtEnd.current = rest < nearEnd && !hasNewer;
      setAway(rest > view.clientHeight || hasNewer);
      if (offset < ahead && hasOlder) void loadOlder();
      if (rest < ahead && hasNewer) void loadNewer();
    },
    [hasOlder, hasNewer, loadOlder, loadNewer],
  );

  const toEnd = useCallback(() => {
    staysAtEnd.current = true;
    box.current?.focus({ preventScroll: true }); // the button is about to go
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

/** Where a message stands, or, if something has taken its place, what comes next. */
function rowAt(rows: readonly Row[], messages: readonly Message[], place: string): number {
  const seq = messages.find((message) => isAt(message, place))?.seq ?? Infinity;
  return rows.findIndex((row) => row.kind === "message" && row.message.seq >= seq);
}

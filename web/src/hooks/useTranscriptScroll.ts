import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Message } from "../api/types";
import { matchesAnchor } from "../model/messageWindow";
import type { Row } from "../model/transcriptRows";
import type { Chat } from "./useChat";
import { useNavigation } from "./useRoute";

const END_THRESHOLD_PX = 64;
/** Distance from an edge at which the next page is loaded. */
const PREFETCH_PX = 800;
/** How long after an input event a scroll counts as the user's. */
const USER_SCROLL_MS = 1_000;
/** Distance of a marked passage from the top, as a part of the view's height. */
const PASSAGE_POSITION = 1 / 3;
const INPUT_EVENTS = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

interface TranscriptScroll {
  scroller: RefObject<HTMLDivElement | null>;
  virtualizer: RefObject<VirtualizerHandle | null>;
  /** Whether rows were prepended: then the scroll position is kept relative to the end. */
  shift: boolean;
  onScroll: (offset: number) => void;
  /** Scrolls to the marked passage of the anchor, once for each navigation. */
  showPassage: (mark: HTMLElement) => void;
  isScrolledUp: boolean;
  scrollToLatest: () => void;
}

/**
 * Opens a transcript at its end or at an anchor, follows the end while text streams in, unless the
 * user has scrolled up, and loads more messages near the edges.
 *
 * Measuring rows also causes scroll events. So only the user's own scrolling, an anchor and a new
 * question change whether the view follows the end.
 */
export function useTranscriptScroll(
  rows: readonly Row[],
  chat: Chat,
  anchor: string | null,
): TranscriptScroll {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useRef<VirtualizerHandle>(null);
  const followsEnd = useRef(true);
  const firstKey = useRef<string | null>(null);
  /** The visits for which the anchor was loaded and scrolled to. */
  const loadedVisit = useRef(-1);
  const shownVisit = useRef(-1);
  const passageVisit = useRef(-1);
  const lastInput = useRef(-Infinity);
  const lastScroll = useRef({ offset: 0, height: 0 });
  const [isScrolledUp, setScrolledUp] = useState(false);
  const { visit } = useNavigation();
  const { conversationId, hasOlder, hasNewer, isAnchorMissing, loading, pending } = chat;
  const { loadOlder, loadNewer, show, showLatest } = chat;

  const shift = isPrepended(rows, firstKey.current);
  useLayoutEffect(() => {
    firstKey.current = firstMessageKey(rows);
  }, [rows]);

  const opensAtEnd = anchor === null;
  useLayoutEffect(() => {
    followsEnd.current = opensAtEnd;
    setScrolledUp(false);
  }, [conversationId, opensAtEnd]);

  const target = anchor === null ? -1 : anchorRow(rows, chat.messages, anchor);
  useLayoutEffect(() => {
    if (target < 0 || shownVisit.current === visit) return;
    shownVisit.current = visit;
    followsEnd.current = false;
    virtualizer.current?.scrollToIndex(target, { align: "center" });
  }, [target, visit]);

  const showPassage = useCallback(
    (mark: HTMLElement) => {
      // Until its row is measured, the virtualizer cannot scroll to a part of it.
      afterNextFrame(() => {
        const view = scroller.current;
        const row = mark.closest<HTMLElement>("[data-message]");
        if (!view || !row || !mark.isConnected || passageVisit.current === visit) return;
        passageVisit.current = visit;
        followsEnd.current = false;
        for (const animation of row.getAnimations({ subtree: true })) {
          animation.cancel();
          animation.play();
        }
        const inRow = mark.getBoundingClientRect().top - row.getBoundingClientRect().top;
        const offset = inRow - view.clientHeight * PASSAGE_POSITION;
        virtualizer.current?.scrollToIndex(target, { align: "start", offset });
      });
    },
    [target, visit],
  );

  useEffect(() => {
    if (anchor === null || loading === "all" || loadedVisit.current === visit) return;
    loadedVisit.current = visit;
    if (!isAnchorMissing) void show(anchor);
  }, [anchor, visit, loading, isAnchorMissing, show]);

  const isAsking = pending !== null || chat.activeAnswer?.replaces != null;
  useLayoutEffect(() => {
    if (isAsking) followsEnd.current = true;
  }, [isAsking]);

  useLayoutEffect(() => {
    if (followsEnd.current) scrollToEnd(scroller.current);
  }, [rows, pending]);

  // Content shorter than the view cannot be scrolled, so `onScroll` would never load more.
  useEffect(() => {
    const view = scroller.current;
    if (!view || !hasOlder || loading !== null) return;
    if (view.scrollHeight < view.clientHeight + PREFETCH_PX) void loadOlder();
  }, [rows, hasOlder, loading, loadOlder]);

  useEffect(() => {
    const view = scroller.current;
    const column = view?.firstElementChild;
    if (!view || !column) return;
    const observer = new ResizeObserver(() => {
      if (followsEnd.current) scrollToEnd(view);
    });
    observer.observe(column);
    const onInput = () => {
      lastInput.current = performance.now();
    };
    INPUT_EVENTS.forEach((type) => view.addEventListener(type, onInput, { passive: true }));
    return () => {
      observer.disconnect();
      INPUT_EVENTS.forEach((type) => view.removeEventListener(type, onInput));
    };
  }, []);

  const onScroll = useCallback(
    (offset: number) => {
      const view = scroller.current;
      if (!view) return;
      const height = view.scrollHeight;
      const distanceToEnd = height - offset - view.clientHeight;
      const previous = lastScroll.current;
      lastScroll.current = { offset, height };
      // Find-in-page and screen readers scroll without input events.
      const isMovedUp = height === previous.height && offset < previous.offset - END_THRESHOLD_PX;
      const isByUser = performance.now() - lastInput.current < USER_SCROLL_MS || isMovedUp;
      if (isByUser) followsEnd.current = distanceToEnd < END_THRESHOLD_PX && !hasNewer;
      setScrolledUp(distanceToEnd > view.clientHeight || hasNewer);
      if (offset < PREFETCH_PX && hasOlder) void loadOlder();
      if (distanceToEnd < PREFETCH_PX && hasNewer) void loadNewer();
    },
    [hasOlder, hasNewer, loadOlder, loadNewer],
  );

  const scrollToLatest = useCallback(() => {
    followsEnd.current = true;
    scroller.current?.focus({ preventScroll: true }); // the focused button disappears
    void showLatest().then(() => scrollToEnd(scroller.current));
  }, [showLatest]);

  return { scroller, virtualizer, shift, onScroll, showPassage, isScrolledUp, scrollToLatest };
}

function afterNextFrame(callback: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(callback));
}

function scrollToEnd(view: HTMLElement | null): void {
  if (view) view.scrollTop = view.scrollHeight;
}

function firstMessageKey(rows: readonly Row[]): string | null {
  return rows.find((row) => row.kind === "message")?.key ?? null;
}

function isPrepended(rows: readonly Row[], oldKey: string | null): boolean {
  return oldKey !== null && firstMessageKey(rows) !== oldKey && rows.some((row) => row.key === oldKey);
}

/** Returns the row of a message or, if it was replaced, the next one. */
function anchorRow(rows: readonly Row[], messages: readonly Message[], anchor: string): number {
  const seq = messages.find((message) => matchesAnchor(message, anchor))?.seq ?? Infinity;
  return rows.findIndex((row) => row.kind === "message" && row.message.seq >= seq);
}

import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "../api/error";
import type { Page } from "../api/types";
import {
  emptyListing,
  extend,
  renew,
  without,
  type Identified,
  type Listing,
} from "../model/listing";

/** Where a paged list comes from. A new object means a new list, so callers memoize it. */
export interface Source<T> {
  load: (cursor: string | null, signal: AbortSignal) => Promise<Page<T>>;
  isFarther: (item: T, than: T) => boolean;
}

type Status = "loading" | "ready" | "failed";

interface State<T> {
  listing: Listing<T>;
  first: Status;
  more: Status;
  error: ApiError | null;
}

export interface Paged<T> extends State<T> {
  retry: () => void;
  loadMore: () => void;
  /** Takes over what changed at the near end; a failure leaves everything as it was. */
  refresh: () => void;
  /** Takes out what is known to be gone, however far down it is. */
  drop: (id: string) => void;
}

/** Fetches a list page by page. While a new source loads, the items of the old one stay. */
export function usePaged<T extends Identified>(source: Source<T>): Paged<T> {
  const [state, setState] = useState<State<T>>({
    listing: emptyListing(),
    first: "loading",
    more: "ready",
    error: null,
  });
  const [attempt, setAttempt] = useState(0);
  const abort = useRef(new AbortController());
  const drops = useRef(0);

  useEffect(() => {
    const controller = new AbortController();
    abort.current = controller;
    setState((old) => ({ ...old, first: "loading", more: "ready", error: null }));
    settle(
      source.load(null, controller.signal),
      controller.signal,
      (page) =>
        setState({
          listing: extend(emptyListing(), page),
          first: "ready",
          more: "ready",
          error: null,
        }),
      (error) => setState((old) => ({ ...old, first: "failed", error })),
    );
    return () => controller.abort();
  }, [source, attempt]);

  const { cursor } = state.listing;
  const loadMore = useCallback(() => {
    const { signal } = abort.current;
    setState((old) => ({ ...old, more: "loading", error: null }));
    settle(
      source.load(cursor, signal),
      signal,
      (page) =>
        setState((old) => ({ ...old, listing: extend(old.listing, page), more: "ready" })),
      (error) => setState((old) => ({ ...old, more: "failed", error })),
    );
  }, [source, cursor]);

  const refresh = useCallback(() => {
    const { signal } = abort.current;
    const dropsBefore = drops.current;
    settle(
      source.load(null, signal),
      signal,
      (page) => {
        // It may have been read before something was deleted.
        if (drops.current !== dropsBefore) return;
        // While a far page is on its way, its cursor must stay the listing's own.
        setState((old) =>
          old.more === "loading"
            ? old
            : { ...old, listing: renew(old.listing, page, source.isFarther), first: "ready" },
        );
      },
      () => undefined,
    );
  }, [source]);

  const drop = useCallback((id: string) => {
    drops.current += 1;
    setState((old) => ({ ...old, listing: without(old.listing, id) }));
  }, []);

  const retry = useCallback(() => setAttempt((old) => old + 1), []);

  return { ...state, retry, loadMore, refresh, drop };
}

function settle<T>(
  answer: Promise<T>,
  signal: AbortSignal,
  onValue: (value: T) => void,
  onError: (error: ApiError) => void,
): void {
  answer.then(
    (value) => {
      if (!signal.aborted) onValue(value);
    },
    (error: unknown) => {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      onError(error);
    },
  );
}

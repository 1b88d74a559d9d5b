import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "../api/error";
import type { Page } from "../api/types";
import {
  appendPage,
  emptyListing,
  mergeFirstPage,
  removeItem,
  type Identified,
  type Listing,
} from "../model/listing";

/** Loads the pages of a list. Must be memoized: a new source loads a new list. */
export interface PageSource<T> {
  load: (cursor: string | null, signal: AbortSignal) => Promise<Page<T>>;
  isAfter: (item: T, other: T) => boolean;
}

type Status = "loading" | "ready" | "failed";

interface State<T> {
  listing: Listing<T>;
  status: Status;
  /** Status of the next page. */
  moreStatus: Status;
  error: ApiError | null;
}

export interface PagedList<T> extends State<T> {
  retry: () => void;
  loadMore: () => void;
  /** Reloads the first page; ignores failures. */
  refresh: () => void;
  /** Removes a deleted item without reloading. */
  drop: (id: string) => void;
}

/** Loads a list page by page. While a new source loads, the old items stay. */
export function usePagedList<T extends Identified>(source: PageSource<T>): PagedList<T> {
  const [state, setState] = useState<State<T>>({
    listing: emptyListing(),
    status: "loading",
    moreStatus: "ready",
    error: null,
  });
  const [attempt, setAttempt] = useState(0);
  const abort = useRef(new AbortController());
  const dropCount = useRef(0);

  useEffect(() => {
    const controller = new AbortController();
    abort.current = controller;
    setState((old) => ({ ...old, status: "loading", moreStatus: "ready", error: null }));
    settle(
      source.load(null, controller.signal),
      controller.signal,
      (page) =>
        setState({
          listing: appendPage(emptyListing(), page),
          status: "ready",
          moreStatus: "ready",
          error: null,
        }),
      (error) => setState((old) => ({ ...old, status: "failed", error })),
    );
    return () => controller.abort();
  }, [source, attempt]);

  const { cursor } = state.listing;
  const loadMore = useCallback(() => {
    const { signal } = abort.current;
    setState((old) => ({ ...old, moreStatus: "loading", error: null }));
    settle(
      source.load(cursor, signal),
      signal,
      (page) =>
        setState((old) => ({ ...old, listing: appendPage(old.listing, page), moreStatus: "ready" })),
      (error) => setState((old) => ({ ...old, moreStatus: "failed", error })),
    );
  }, [source, cursor]);

  const refresh = useCallback(() => {
    const { signal } = abort.current;
    const dropCountBefore = dropCount.current;
    settle(
      source.load(null, signal),
      signal,
      (page) => {
        // The page may be older than the deletion.
        if (dropCount.current !== dropCountBefore) return;
        // While the next page loads, the cursor must not change.
        setState((old) =>
          old.moreStatus === "loading"
            ? old
            : { ...old, listing: mergeFirstPage(old.listing, page, source.isAfter), status: "ready" },
        );
      },
      () => undefined,
    );
  }, [source]);

  const drop = useCallback((id: string) => {
    dropCount.current += 1;
    setState((old) => ({ ...old, listing: removeItem(old.listing, id) }));
  }, []);

  const retry = useCallback(() => setAttempt((old) => old + 1), []);

  return { ...state, retry, loadMore, refresh, drop };
}

function settle<T>(
  result: Promise<T>,
  signal: AbortSignal,
  onValue: (value: T) => void,
  onError: (error: ApiError) => void,
): void {
  result.then(
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

import { createContext, use, useCallback, useEffect, useMemo, useState } from "react";
import type { Passage } from "../model/passages";

export const panels = ["seen", "summary", "numbers"] as const;

/** A side panel of a conversation, as in the URL: the receipt, the summary, the analytics. */
export type Panel = (typeof panels)[number];

export type Route =
  | {
      page: "chat";
      /** Null for a new conversation. */
      conversationId: string | null;
      /** Id or sequence number of the message to scroll to. */
      anchor: string | null;
      /** The part of this message to mark. */
      passage: Passage | null;
      panel: Panel | null;
    }
  | { page: "memories" | "analytics" | "settings" | "unknown" };

export function parseUrl(path: string, query: string): Route {
  if (path === "/memories" || path === "/analytics" || path === "/settings") {
    return { page: path.slice(1) as "memories" };
  }
  const id = /^\/c\/([^/]+)\/?$/.exec(path)?.[1];
  if (id === undefined && path !== "/") return { page: "unknown" };
  const params = new URLSearchParams(query);
  return {
    page: "chat",
    conversationId: id === undefined ? null : safeDecode(id),
    anchor: params.get("m"),
    passage: parsePassage(params.get("p")),
    panel: panels.find((panel) => panel === params.get("panel")) ?? null,
  };
}

function parsePassage(text: string | null): Passage | null {
  const offsets = /^(\d{1,10})-(\d{1,10})$/.exec(text ?? "");
  return offsets && { start: Number(offsets[1]), end: Number(offsets[2]) };
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export interface PathOptions {
  anchor?: string | null;
  passage?: Passage | null;
  panel?: Panel | null;
}

export function conversationPath(
  id: string,
  { anchor = null, passage = null, panel = null }: PathOptions = {},
): string {
  const params = new URLSearchParams();
  if (anchor !== null) params.set("m", anchor);
  if (passage !== null) params.set("p", `${passage.start}-${passage.end}`);
  if (panel !== null) params.set("panel", panel);
  const query = params.toString();
  return `/c/${encodeURIComponent(id)}${query === "" ? "" : `?${query}`}`;
}

interface Navigation {
  route: Route;
  /** Counts navigations, so that following a link to the current URL is noticed too. */
  visit: number;
  /** `replace` replaces the current entry of the browser's history. */
  navigate: (to: string, options?: { replace?: boolean }) => void;
}

export const NavigationContext = createContext<Navigation>({
  route: { page: "unknown" },
  visit: 0,
  navigate: () => undefined,
});

/** The browser's URL as state. */
export function useBrowserLocation(): Navigation {
  const currentUrl = () => window.location.pathname + window.location.search;
  const [{ url, visit }, setState] = useState(() => ({ url: currentUrl(), visit: 0 }));
  const setUrl = useCallback((to: string) => {
    setState((old) => ({ url: to, visit: old.visit + 1 }));
  }, []);

  useEffect(() => {
    const onPopState = () => setUrl(currentUrl());
    window.addEventListener("popstate", onPopState);
    return () => window.removeEventListener("popstate", onPopState);
  }, [setUrl]);

  const navigate = useCallback((to: string, { replace = false } = {}) => {
    if (to !== currentUrl()) window.history[replace ? "replaceState" : "pushState"](null, "", to);
    setUrl(to);
  }, [setUrl]);

  return useMemo(() => {
    const { pathname, search } = new URL(url, window.location.origin);
    return { route: parseUrl(pathname, search), visit, navigate };
  }, [url, visit, navigate]);
}

export function useNavigation(): Navigation {
  return use(NavigationContext);
}

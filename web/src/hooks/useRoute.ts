import { createContext, use, useCallback, useEffect, useMemo, useState } from "react";

export const panels = ["seen", "summary", "numbers"] as const;

/** What stands beside a conversation: what the model saw, the summary, its figures. */
export type Panel = (typeof panels)[number];

export type Route =
  | {
      page: "chat";
      /** None for one that is about to begin. */
      conversationId: string | null;
      /** The message to go to: its id, or its number. */
      place: string | null;
      panel: Panel | null;
    }
  | { page: "memories" | "analytics" | "settings" | "unknown" };

export function parseAddress(path: string, query: string): Route {
  if (path === "/memories" || path === "/analytics" || path === "/settings") {
    return { page: path.slice(1) as "memories" };
  }
  const id = /^\/c\/([^/]+)\/?$/.exec(path)?.[1];
  if (id === undefined && path !== "/") return { page: "unknown" };
  const params = new URLSearchParams(query);
  return {
    page: "chat",
    conversationId: id === undefined ? null : unescaped(id),
    place: params.get("m"),
    panel: panels.find((panel) => panel === params.get("panel")) ?? null,
  };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `panel` stands beside the conversation, `place` (a message's id or number) is where it opens. */
export function conversationPath(
  id: string,
  { place = null, panel = null }: { place?: string | null; panel?: Panel | null } = {},
): string {
  const params = new URLSearchParams();
  if (place !== null) params.set("m", place);
  if (panel !== null) params.set("panel", panel);
  const query = params.toString();
  return `/c/${encodeURIComponent(id)}${query === "" ? "" : `?${query}`}`;
}

export interface Navigation {
  route: Route;
  /** Counts the steps: the same address again is another visit to it. */
  visit: number;
  /** Goes to an address of this page; `replace` leaves no step back to the one before. */
  navigate: (to: string, options?: { replace?: boolean }) => void;
}

export const NavigationContext = createContext<Navigation>({
  route: { page: "unknown" },
  visit: 0,
  navigate: () => undefined,
});

/** The address bar as state. */
export function useAddressBar(): Navigation {
  const here = () => window.location.pathname + window.location.search;
  const [{ address, visit }, setState] = useState(() => ({ address: here(), visit: 0 }));
  const setAddress = useCallback((to: string) => {
    setState((old) => ({ address: to, visit: old.visit + 1 }));
  }, []);

  useEffect(() => {
    const follow = () => setAddress(here());
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, [setAddress]);

  const navigate = useCallback((to: string, { replace = false } = {}) => {
    if (to !== here()) window.history[replace ? "replaceState" : "pushState"](null, "", to);
    setAddress(to);
  }, [setAddress]);

  return useMemo(() => {
    const { pathname, search } = new URL(address, window.location.origin);
    return { route: parseAddress(pathname, search), visit, navigate };
  }, [address, visit, navigate]);
}

export function useNavigation(): Navigation {
  return use(NavigationContext);
}

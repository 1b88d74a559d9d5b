import { useCallback, useEffect, useState } from "react";

export interface Route {
  conversationId: string | null;
}

export function parsePath(path: string): Route {
  const id = /^\/c\/([^/]+)\/?$/.exec(path)?.[1];
  if (id === undefined) return { conversationId: null };
  try {
    return { conversationId: decodeURIComponent(id) };
  } catch {
    return { conversationId: id };
  }
}

export function conversationPath(id: string): string {
  return `/c/${encodeURIComponent(id)}`;
}

/** The address bar as state: `/` is the list, `/c/{id}` a conversation. */
export function useRoute(): { route: Route; navigate: (path: string) => void } {
  const [path, setPath] = useState(() => window.location.pathname);

  useEffect(() => {
    const follow = () => setPath(window.location.pathname);
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, []);

  const navigate = useCallback((to: string) => {
    if (to !== window.location.pathname) window.history.pushState(null, "", to);
    setPath(to);
  }, []);

  return { route: parsePath(path), navigate };
}

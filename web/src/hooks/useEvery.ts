import { useEffect } from "react";

/** Calls `action` at an interval, as long as somebody can see the page. */
export function useEvery(milliseconds: number, action: () => void): void {
  useEffect(() => {
    const timer = window.setInterval(() => {
      if (document.visibilityState === "visible") action();
    }, milliseconds);
    return () => window.clearInterval(timer);
  }, [milliseconds, action]);
}

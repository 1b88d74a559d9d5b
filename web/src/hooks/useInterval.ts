import { useEffect } from "react";

/** Calls `callback` at an interval while the page is visible. */
export function useInterval(milliseconds: number, callback: () => void): void {
  useEffect(() => {
    const timer = window.setInterval(() => {
      if (document.visibilityState === "visible") callback();
    }, milliseconds);
    return () => window.clearInterval(timer);
  }, [milliseconds, callback]);
}

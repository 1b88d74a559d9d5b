import { useEffect } from "react";

/** Calls `onFocus` when the user returns to the window. */
export function useWindowFocus(onFocus: () => void): void {
  useEffect(() => {
    window.addEventListener("focus", onFocus);
    return () => window.removeEventListener("focus", onFocus);
  }, [onFocus]);
}

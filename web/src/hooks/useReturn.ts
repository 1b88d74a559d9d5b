import { useEffect } from "react";

/** Calls `onReturn` when the reader comes back to this window from another one. */
export function useReturn(onReturn: () => void): void {
  useEffect(() => {
    window.addEventListener("focus", onReturn);
    return () => window.removeEventListener("focus", onReturn);
  }, [onReturn]);
}

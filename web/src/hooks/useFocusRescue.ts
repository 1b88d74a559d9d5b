import { useEffect } from "react";

/**
 * What has the focus may go: a button with its menu, a page with its sidebar. Then whoever uses the
 * keyboard, or listens, would be sent back to the beginning. Here they go to where a message is
 * written, or else to the page itself.
 */
export function useFocusRescue(): void {
  useEffect(() => {
    let last: Element | null = null;
    const note = ({ target }: FocusEvent) => {
      last = target as Element;
    };
    const rescue = () => {
      const active = document.activeElement;
      const isNowhere = active === document.body || active === last;
      if (last === null || !isNowhere || !isGone(last)) return;
      last = null;
      const field = document.querySelector<HTMLElement>(".composer textarea");
      const isTouch = window.matchMedia("(pointer: coarse)").matches; // a keyboard would pop up
      // While the next page is loaded, React keeps the one before, out of sight.
      const isThere = field !== null && field.checkVisibility();
      const target = isThere && !isTouch ? field : document.getElementById("main");
      target?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(rescue);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["data-view"] });
    document.addEventListener("focusin", note);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", note);
    };
  }, []);
}

function isGone(element: Element): boolean {
  return !element.isConnected || !element.checkVisibility();
}

import { useEffect } from "react";

/**
 * Moves the focus to the composer, or else to the page, when the focused element disappears.
 * Otherwise keyboard and screen reader users would start again at the top.
 */
export function useFocusFallback(): void {
  useEffect(() => {
    let last: Element | null = null;
    const onFocusIn = ({ target }: FocusEvent) => {
      last = target as Element;
    };
    const restoreFocus = () => {
      const active = document.activeElement;
      const isLost = active === document.body || active === last;
      if (last === null || !isLost || !isHidden(last)) return;
      last = null;
      const field = document.querySelector<HTMLElement>(".composer textarea");
      // On touch screens focusing the field would open the keyboard.
      const isTouch = window.matchMedia("(pointer: coarse)").matches;
      // React keeps the previous page hidden while the next one loads.
      const isVisible = field !== null && field.checkVisibility();
      const target = isVisible && !isTouch ? field : document.getElementById("main");
      target?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(restoreFocus);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["data-view"] });
    document.addEventListener("focusin", onFocusIn);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", onFocusIn);
    };
  }, []);
}

function isHidden(element: Element): boolean {
  return !element.isConnected || !element.checkVisibility();
}

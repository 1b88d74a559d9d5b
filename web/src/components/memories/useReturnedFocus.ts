import { useEffect, useRef } from "react";

/** Gives the focus back to the button that opened something in its own place. */
export function useReturnedFocus<T extends HTMLElement>(isOpen: boolean, opener: string) {
  const box = useRef<T>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) box.current?.querySelector<HTMLElement>(opener)?.focus();
    wasOpen.current = isOpen;
  }, [isOpen, opener]);
  return box;
}

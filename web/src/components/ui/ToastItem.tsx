import { useEffect, useRef, useState, type FocusEvent } from "react";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { IconButton } from "./IconButton";
import type { EndToast, ShownToast } from "./Toasts";

const shownFor = 6_000;

interface Props {
  toast: ShownToast;
  onEnd: EndToast;
}

/** Waits as long as the pointer or the focus is on it, and gives the focus back when it goes. */
export function ToastItem({ toast, onEnd }: Props) {
  const texts = useTexts(common);
  const [hasPointer, setPointer] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<HTMLElement | null>(null);
  const { id, text, action, isError = false } = toast;

  const isHeld = hasPointer || hasFocus;
  useEffect(() => {
    if (isHeld) return;
    const timer = window.setTimeout(() => void onEnd(id), shownFor);
    return () => window.clearTimeout(timer);
  }, [isHeld, id, onEnd]);

  const onFocus = ({ relatedTarget }: FocusEvent) => {
    setFocus(true);
    if (!box.current?.contains(relatedTarget)) cameFrom.current = relatedTarget as HTMLElement;
  };
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (!box.current?.contains(relatedTarget)) setFocus(false);
  };
  const end = (isTaken: boolean) => {
    // Where the focus came from may be gone, or out of sight: then the page has it.
    for (const place of [cameFrom.current, document.getElementById("main")]) {
      if (box.current?.contains(document.activeElement)) place?.focus();
    }
    void onEnd(id, isTaken);
  };

  return (
    <div
      ref={box}
      className={isError ? "toast bad" : "toast"}
      onPointerEnter={() => setPointer(true)}
      onPointerLeave={() => setPointer(false)}
      onFocus={onFocus}
      onBlur={onBlur}
    >
      <p>{text}</p>
      {action && (
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            end(true);
            action.onSelect();
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton icon="close" label={texts.close} onClick={() => end(false)} />
    </div>
  );
}

import { useEffect, useRef, useState, type FocusEvent } from "react";
import { useCommonTexts } from "../../i18n/common";
import { Button } from "./Button";
import { IconButton } from "./IconButton";
import type { DismissToast, ToastEntry } from "./ToastProvider";

const DURATION_MS = 6_000;

interface Props {
  toast: ToastEntry;
  onDismiss: DismissToast;
}

/** Stays open while it has the pointer or the focus, and returns the focus when it closes. */
export function ToastItem({ toast, onDismiss }: Props) {
  const texts = useCommonTexts();
  const [hasPointer, setPointer] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const previousFocus = useRef<HTMLElement | null>(null);
  const { id, text, action, isError = false } = toast;

  const isPaused = hasPointer || hasFocus;
  useEffect(() => {
    if (isPaused) return;
    const timer = window.setTimeout(() => void onDismiss(id), DURATION_MS);
    return () => window.clearTimeout(timer);
  }, [isPaused, id, onDismiss]);

  const onFocus = ({ relatedTarget }: FocusEvent) => {
    setFocus(true);
    if (!box.current?.contains(relatedTarget)) previousFocus.current = relatedTarget as HTMLElement;
  };
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (!box.current?.contains(relatedTarget)) setFocus(false);
  };
  const dismiss = (isActionTaken: boolean) => {
    // The previously focused element may be gone: then the page gets the focus.
    for (const target of [previousFocus.current, document.getElementById("main")]) {
      if (box.current?.contains(document.activeElement)) target?.focus();
    }
    void onDismiss(id, isActionTaken);
  };

  return (
    <div
      ref={box}
      className={isError ? "toast error" : "toast"}
      onPointerEnter={() => setPointer(true)}
      onPointerLeave={() => setPointer(false)}
      onFocus={onFocus}
      onBlur={onBlur}
    >
      <p>{text}</p>
      {action && (
        <Button
          className="quiet"
          onClick={() => {
            dismiss(true);
            action.onSelect();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon="close" label={texts.close} onClick={() => dismiss(false)} />
    </div>
  );
}

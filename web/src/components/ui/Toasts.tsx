import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { ToastContext, type Toast } from "../../hooks/useToasts";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { IconButton } from "./IconButton";

const shownFor = 6_000;

interface Shown extends Toast {
  id: number;
}

/** Shows what the page has to say in passing. Those with an action wait while they are looked at. */
export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Shown[]>([]);
  const next = useRef(0);

  const tell = useCallback((toast: Toast) => {
    next.current += 1;
    const shown = { ...toast, id: next.current };
    setToasts((old) => [...old, shown]);
  }, []);
  const forget = useCallback((id: number) => {
    setToasts((old) => old.filter((toast) => toast.id !== id));
  }, []);

  return (
    <ToastContext value={tell}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map((toast) => (
          <ToastItem key={toast.id} toast={toast} onForget={() => forget(toast.id)} />
        ))}
      </div>
    </ToastContext>
  );
}

function ToastItem({ toast, onForget }: { toast: Shown; onForget: () => void }) {
  const texts = useTexts(common);
  const [isHeld, setHeld] = useState(false);
  const isOver = useRef(false);

  const end = useCallback(
    (isTaken: boolean) => {
      if (isOver.current) return;
      isOver.current = true;
      if (!isTaken) toast.onGone?.();
      onForget();
    },
    [toast, onForget],
  );

  useEffect(() => {
    const leave = () => end(false);
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, [end]);

  useEffect(() => {
    if (isHeld) return;
    const timer = window.setTimeout(() => end(false), shownFor);
    return () => window.clearTimeout(timer);
  }, [isHeld, end]);

  return (
    <div
      className={toast.isError ? "toast bad" : "toast"}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p>{toast.text}</p>
      {toast.action && (
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            toast.action?.onSelect();
            end(true);
          }}
        >
          {toast.action.label}
        </button>
      )}
      <IconButton icon="close" label={texts.close} onClick={() => end(false)} />
    </div>
  );
}

import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { ToastContext, type Toast } from "../../hooks/useToasts";
import { ToastItem } from "./ToastItem";

export interface ShownToast extends Toast {
  id: number;
}

/** Ends a toast, once; `isTaken` if its action was. */
export type EndToast = (id: number, isTaken?: boolean) => Promise<void>;

/** Shows what the page has to say in passing. */
export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([]);
  const open = useRef(new Map<number, ShownToast>());
  const last = useRef(0);

  const tell = useCallback((toast: Toast) => {
    last.current += 1;
    const shown = { ...toast, id: last.current };
    open.current.set(shown.id, shown);
    setToasts((old) => [...old, shown]);
  }, []);
  const end = useCallback<EndToast>(async (id, isTaken = false) => {
    const toast = open.current.get(id);
    open.current.delete(id);
    setToasts((old) => old.filter((other) => other.id !== id));
    if (!isTaken) await toast?.onGone?.();
  }, []);
  const settle = useCallback(async () => {
    await Promise.all([...open.current.keys()].map((id) => end(id)));
  }, [end]);

  useEffect(() => {
    const leave = () => void settle();
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, [settle]);

  return (
    <ToastContext value={useMemo(() => ({ tell, settle }), [tell, settle])}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map((toast) => (
          <ToastItem key={toast.id} toast={toast} onEnd={end} />
        ))}
      </div>
    </ToastContext>
  );
}

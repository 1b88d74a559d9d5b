import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { ToastContext, type Toast } from "../../hooks/useToast";
import { ToastItem } from "./ToastItem";

export interface ToastEntry extends Toast {
  id: number;
}

/** Closes a toast. */
export type DismissToast = (id: number, isActionTaken?: boolean) => Promise<void>;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly ToastEntry[]>([]);
  const open = useRef(new Map<number, ToastEntry>());
  const lastId = useRef(0);

  const showToast = useCallback((toast: Toast) => {
    lastId.current += 1;
    const entry = { ...toast, id: lastId.current };
    open.current.set(entry.id, entry);
    setToasts((old) => [...old, entry]);
  }, []);
  const dismiss = useCallback<DismissToast>(async (id, isActionTaken = false) => {
    const toast = open.current.get(id);
    open.current.delete(id);
    setToasts((old) => old.filter((other) => other.id !== id));
    if (!isActionTaken) await toast?.onDismiss?.();
  }, []);
  const flush = useCallback(async () => {
    await Promise.all([...open.current.keys()].map((id) => dismiss(id)));
  }, [dismiss]);

  useEffect(() => {
    const onPageHide = () => void flush();
    window.addEventListener("pagehide", onPageHide);
    return () => window.removeEventListener("pagehide", onPageHide);
  }, [flush]);

  return (
    <ToastContext value={useMemo(() => ({ showToast, flush }), [showToast, flush])}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map((toast) => (
          <ToastItem key={toast.id} toast={toast} onDismiss={dismiss} />
        ))}
      </div>
    </ToastContext>
  );
}

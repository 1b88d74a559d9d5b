import { createContext, use } from "react";

export interface Toast {
  text: string;
  isError?: boolean;
  action?: { label: string; onSelect: () => void };
  /** Called when the toast closes without its action, also when the page closes. */
  onDismiss?: () => void | Promise<void>;
}

type ShowToast = (toast: Toast) => void;

interface ToastActions {
  showToast: ShowToast;
  /** Closes all toasts and waits for their `onDismiss`. */
  flush: () => Promise<void>;
}

export const ToastContext = createContext<ToastActions>({
  showToast: () => undefined,
  flush: () => Promise.resolve(),
});

export function useToast(): ShowToast {
  return use(ToastContext).showToast;
}

export function useFlushToasts(): ToastActions["flush"] {
  return use(ToastContext).flush;
}

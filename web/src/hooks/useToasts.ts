import { createContext, use } from "react";

export interface Toast {
  text: string;
  isError?: boolean;
  /** Something the reader may still do about it, as long as it is shown. */
  action?: { label: string; onSelect: () => void };
  /** Called when it goes without its action having been taken; also when the page is left. */
  onGone?: () => void;
}

/** Tells the reader something in passing. */
export type Tell = (toast: Toast) => void;

export const ToastContext = createContext<Tell>(() => undefined);

export function useToasts(): Tell {
  return use(ToastContext);
}

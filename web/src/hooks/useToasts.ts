import { createContext, use } from "react";

export interface Toast {
  text: string;
  isError?: boolean;
  /** Something the reader may still do about it, as long as it is shown. */
  action?: { label: string; onSelect: () => void };
  /** Called when it goes without its action having been taken; also when the page is left. */
  onGone?: () => void | Promise<void>;
}

/** Tells the reader something in passing. */
type Tell = (toast: Toast) => void;

interface Toasting {
  tell: Tell;
  /** Ends all that are shown, and waits for what was put off until they go. */
  settle: () => Promise<void>;
}

export const ToastContext = createContext<Toasting>({
  tell: () => undefined,
  settle: () => Promise.resolve(),
});

export function useToasts(): Tell {
  return use(ToastContext).tell;
}

/** For whoever is about to leave: what could still be undone is done now. */
export function useSettling(): Toasting["settle"] {
  return use(ToastContext).settle;
}

/**
 * What this page changes is told to whoever shows it: in this tab, and in the others of the same
 * browser. It says what to look at again, never what is there: that is the server's to say.
 */
export type Change =
  | { kind: "conversation"; id: string }
  | { kind: "conversations" }
  /** A conversation or a memory is gone: no list needs to ask whether it still has it. */
  | { kind: "deleted"; id: string }
  | { kind: "memories" };

type Listener = (change: Change, by: object | null) => void;

const listeners = new Set<Listener>();
const otherTabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("recollect");

otherTabs?.addEventListener("message", ({ data }: MessageEvent<Change>) => tell(data, null));

function tell(change: Change, by: object | null): void {
  listeners.forEach((listener) => listener(change, by));
}

/** `by` is whoever changed it, and knows already. */
export function announce(change: Change, by: object | null = null): void {
  tell(change, by);
  otherTabs?.postMessage(change);
}

export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

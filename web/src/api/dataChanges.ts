/**
 * Change notifications between components and browser tabs. They say which data changed, not the
 * new value: subscribers reload it from the server.
 */
export type DataChange =
  | { kind: "conversation"; id: string }
  | { kind: "conversations" }
  /** A conversation or a memory was deleted: lists remove it without reloading. */
  | { kind: "deleted"; id: string }
  | { kind: "memories" };

type Listener = (change: DataChange, source: object | null) => void;

const listeners = new Set<Listener>();
const otherTabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("recollect");

otherTabs?.addEventListener("message", ({ data }: MessageEvent<DataChange>) => notify(data, null));

function notify(change: DataChange, source: object | null): void {
  listeners.forEach((listener) => listener(change, source));
}

/** Notifies this tab and the others. Listeners use `source` to skip their own changes. */
export function publishChange(change: DataChange, source: object | null = null): void {
  notify(change, source);
  otherTabs?.postMessage(change);
}

export function onDataChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

import { useEffect, useSyncExternalStore } from "react";
import type { Conversation } from "../api/types";

interface Seen {
  /** From when on this browser takes notice; what is older counts as seen. */
  since: string;
  /** The latest activity that was seen, by conversation. */
  until: Readonly<Record<string, string>>;
}

const name = "recollect.seen";
const listeners = new Set<() => void>();
let seen = read();

function read(): Seen {
  try {
    const stored = JSON.parse(localStorage.getItem(name) ?? "null") as Seen | null;
    if (stored) return stored;
  } catch {
    // A browser that keeps nothing: then the page does, as long as it is open.
  }
  return { since: new Date().toISOString(), until: {} };
}

function see({ id, last_activity_at }: Conversation): void {
  if (seen.until[id] === last_activity_at) return;
  seen = { ...seen, until: { ...seen.until, [id]: last_activity_at } };
  try {
    localStorage.setItem(name, JSON.stringify(seen));
  } catch {
    // As above.
  }
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether something was said in a conversation since it was last open in this browser. */
export function useIsUnread(): (conversation: Conversation) => boolean {
  const { since, until } = useSyncExternalStore(subscribe, () => seen);
  return ({ id, last_activity_at }) =>
    Date.parse(last_activity_at) > Date.parse(until[id] ?? since);
}

/** Takes note that an open conversation is being looked at. */
export function useSeeing(conversation: Conversation | null): void {
  useEffect(() => {
    if (conversation) see(conversation);
  }, [conversation]);
}

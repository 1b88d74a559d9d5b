import { useEffect, useSyncExternalStore } from "react";
import type { Conversation } from "../api/types";
import { isUnseen, merge, see, type Seen } from "../model/seen";
import { onForgotten } from "./forgetHere";
import { readKept, writeKept } from "./useKept";

const name = "recollect.seen";
const listeners = new Set<() => void>();
let seen = readKept<Seen | null>(name, null) ?? begin();

/** Kept at once: every tab of this browser counts from the same moment. */
function begin(): Seen {
  const fresh = { since: new Date().toISOString(), until: {} };
  writeKept(name, fresh);
  return fresh;
}

function take(changed: Seen): void {
  seen = changed;
  listeners.forEach((listener) => listener());
}

onForgotten(() => take(begin()));
globalThis.addEventListener?.("storage", ({ key }: StorageEvent) => {
  if (key === name) take(readKept(name, seen));
});

function note({ id, last_activity_at }: Conversation): void {
  if (!isUnseen(seen, id, last_activity_at)) return;
  // Another tab may have written a moment ago.
  const changed = see(merge(readKept(name, seen), seen), id, last_activity_at);
  writeKept(name, changed);
  take(changed);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether something was said in a conversation since it was last open in this browser. */
export function useIsUnread(): (conversation: Conversation) => boolean {
  const current = useSyncExternalStore(subscribe, () => seen);
  return ({ id, last_activity_at }) => isUnseen(current, id, last_activity_at);
}

/** Takes note that an open conversation is being looked at. */
export function useSeeing(conversation: Conversation | null): void {
  useEffect(() => {
    if (conversation) note(conversation);
  }, [conversation]);
}

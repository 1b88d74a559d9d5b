import { useEffect, useSyncExternalStore } from "react";
import type { Conversation } from "../api/types";
import { isUnread, markRead, mergeReadState, type ReadState } from "../model/readState";
import { readStorage, writeStorage } from "./useLocalStorage";
import { onStorageCleared } from "./userStorage";

const STORAGE_KEY = "recollect.seen";
const listeners = new Set<() => void>();
let state = readStorage<ReadState | null>(STORAGE_KEY, null) ?? reset();

/** Stored at once, so that all tabs start from the same time. */
function reset(): ReadState {
  const fresh = { since: new Date().toISOString(), until: {} };
  writeStorage(STORAGE_KEY, fresh);
  return fresh;
}

function update(changed: ReadState): void {
  state = changed;
  listeners.forEach((listener) => listener());
}

onStorageCleared(() => update(reset()));
globalThis.addEventListener?.("storage", ({ key }: StorageEvent) => {
  if (key === STORAGE_KEY) update(readStorage(STORAGE_KEY, state));
});

function markConversationRead({ id, last_activity_at }: Conversation): void {
  if (!isUnread(state, id, last_activity_at)) return;
  // Another tab may have written in between.
  const changed = markRead(mergeReadState(readStorage(STORAGE_KEY, state), state), id, last_activity_at);
  writeStorage(STORAGE_KEY, changed);
  update(changed);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns a function that tells whether a conversation has new messages. */
export function useIsUnread(): (conversation: Conversation) => boolean {
  const current = useSyncExternalStore(subscribe, () => state);
  return ({ id, last_activity_at }) => isUnread(current, id, last_activity_at);
}

export function useMarkAsRead(conversation: Conversation | null): void {
  useEffect(() => {
    if (conversation) markConversationRead(conversation);
  }, [conversation]);
}

import { useCallback, useSyncExternalStore } from "react";
import { announce } from "../api/changes";
import { deleteConversation } from "../api/conversations";
import { ApiError } from "../api/error";
import type { Conversation, DeletedCounts } from "../api/types";
import { useToasts } from "./useToasts";

let leaving: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function setLeaving(change: (ids: Set<string>) => void): void {
  const ids = new Set(leaving);
  change(ids);
  leaving = ids;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The conversations that are shown no more, and may still be brought back. */
export function useLeaving(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => leaving);
}

export interface DeletionTexts {
  deleted: string;
  undo: string;
  receipt: (counts: DeletedCounts) => string;
}

/** Takes a conversation away at once, and deletes it when the time to undo that has passed. */
export function useDeletion(texts: DeletionTexts): (conversation: Conversation) => void {
  const tell = useToasts();

  return useCallback(
    ({ id }: Conversation) => {
      setLeaving((ids) => ids.add(id));
      const stay = () => setLeaving((ids) => ids.delete(id));
      const go = () =>
        deleteConversation(id)
          .then(({ deleted }) => {
            tell({ text: texts.receipt(deleted) });
            announce({ kind: "conversations" });
            announce({ kind: "memories" });
          })
          .catch((error: unknown) => {
            stay();
            if (!(error instanceof ApiError)) throw error;
            tell({ text: error.message, isError: true });
          });
      tell({
        text: texts.deleted,
        action: { label: texts.undo, onSelect: stay },
        onGone: () => void go(),
      });
    },
    [tell, texts],
  );
}

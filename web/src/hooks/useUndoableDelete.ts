import { useCallback } from "react";
import { useCommonTexts } from "../i18n/common";
import type { PendingDeletions } from "../model/pendingDeletions";
import { useErrorToast } from "./useErrorToast";
import { useToast } from "./useToast";

interface Deletion<T> {
  pending: PendingDeletions;
  send: (id: string) => Promise<T>;
  /** Toast with the undo button. */
  deleted: string;
  /** Toast after the deletion. */
  receipt: (counts: T) => string;
}

type Remove = (id: string, onUndo?: () => void) => void;

/** Hides an item at once and deletes it when the time to undo is over. */
export function useUndoableDelete<T>({ pending, send, deleted, receipt }: Deletion<T>): Remove {
  const { undo } = useCommonTexts();
  const showToast = useToast();
  const withErrorToast = useErrorToast();

  return useCallback(
    (id, onUndo) => {
      pending.add(id);
      showToast({
        text: deleted,
        action: {
          label: undo,
          onSelect: () => {
            pending.delete(id);
            onUndo?.();
          },
        },
        onDismiss: async () => {
          try {
            await withErrorToast(send(id).then((counts) => showToast({ text: receipt(counts) })));
          } finally {
            // Also after a success: an import may bring the same id back.
            pending.delete(id);
          }
        },
      });
    },
    [pending, send, deleted, receipt, undo, showToast, withErrorToast],
  );
}

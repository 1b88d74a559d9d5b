import { useCallback } from "react";
import type { Leaving } from "../model/leaving";
import { common } from "../texts/common";
import { useTexts } from "../texts/texts";
import { useToasts } from "./useToasts";
import { useTrying } from "./useTrying";

interface Deletion<T> {
  /** Those that are shown no more, and may still be brought back. */
  leaving: Leaving;
  /** Deletes for good, and tells whoever shows it. */
  send: (id: string) => Promise<T>;
  /** What is said at once. */
  deleted: string;
  /** What is said of what has been deleted in the end. */
  receipt: (counts: T) => string;
}

type Remove = (id: string, onUndo?: () => void) => void;

/** Takes something away at once, and deletes it when the time to undo that has passed. */
export function useUndoableDeletion<T>({ leaving, send, deleted, receipt }: Deletion<T>): Remove {
  const { undo } = useTexts(common);
  const tell = useToasts();
  const trying = useTrying();

  return useCallback(
    (id, onUndo) => {
      leaving.add(id);
      tell({
        text: deleted,
        action: {
          label: undo,
          onSelect: () => {
            leaving.delete(id);
            onUndo?.();
          },
        },
        onGone: async () => {
          try {
            await trying(send(id).then((counts) => tell({ text: receipt(counts) })));
          } finally {
            // It is back where that failed; else it is gone, and may come again from a backup.
            leaving.delete(id);
          }
        },
      });
    },
    [leaving, send, deleted, receipt, undo, tell, trying],
  );
}

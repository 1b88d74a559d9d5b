import { useState } from "react";
import { ApiError } from "../../api/error";
import type { Memory, MemoryUpdate } from "../../api/types";
import { useToasts } from "../../hooks/useToasts";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { texts as memoryTexts } from "./texts";

interface Handling {
  isBusy: boolean;
  pin: () => void;
  archive: () => void;
}

/** What is done to a memory without changing what it says, one thing at a time. */
export function useHandling(
  { id, is_archived, is_pinned }: Memory,
  onUpdate: (id: string, changes: MemoryUpdate) => Promise<void>,
): Handling {
  const texts = useTexts(memoryTexts);
  const { undo } = useTexts(common);
  const tell = useToasts();
  const [isBusy, setBusy] = useState(false);

  const change = async (changes: MemoryUpdate): Promise<boolean> => {
    setBusy(true);
    try {
      await onUpdate(id, changes);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      tell({ text: error.message, isError: true });
      return false;
    } finally {
      setBusy(false);
    }
  };

  const archive = async () => {
    if (!(await change({ is_archived: !is_archived }))) return;
    tell({
      text: is_archived ? texts.restoredToast : texts.archivedToast,
      action: { label: undo, onSelect: () => void change({ is_archived }) },
    });
  };

  return {
    isBusy,
    pin: () => void (isBusy || change({ is_pinned: !is_pinned })),
    archive: () => void (isBusy || archive()),
  };
}

import type { Memory, MemoryUpdate } from "../../api/types";
import { useSaving } from "../../hooks/useSaving";
import { useToasts } from "../../hooks/useToasts";
import { useTrying } from "../../hooks/useTrying";
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
  const trying = useTrying();
  const { isSaving, save } = useSaving(async (changes: MemoryUpdate, onDone?: () => void) => {
    if ((await trying(onUpdate(id, changes))) === null) onDone?.();
  });

  const archive = () =>
    save({ is_archived: !is_archived }, () =>
      tell({
        text: is_archived ? texts.restoredToast : texts.archivedToast,
        action: { label: undo, onSelect: () => void save({ is_archived }) },
      }),
    );

  return {
    isBusy: isSaving,
    pin: () => void save({ is_pinned: !is_pinned }),
    archive: () => void archive(),
  };
}

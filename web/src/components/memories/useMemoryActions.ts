import type { Memory, MemoryUpdate } from "../../api/types";
import { useErrorToast } from "../../hooks/useErrorToast";
import { useMutation } from "../../hooks/useMutation";
import { useToast } from "../../hooks/useToast";
import { useCommonTexts } from "../../i18n/common";
import { useMemoryTexts } from "./texts";

/** Pins and archives a memory. */
export function useMemoryActions(
  { id, is_archived, is_pinned }: Memory,
  onUpdate: (id: string, changes: MemoryUpdate) => Promise<void>,
) {
  const texts = useMemoryTexts();
  const { undo } = useCommonTexts();
  const showToast = useToast();
  const withErrorToast = useErrorToast();
  const { isPending, mutate } = useMutation(async (changes: MemoryUpdate, onDone?: () => void) => {
    if ((await withErrorToast(onUpdate(id, changes))) === null) onDone?.();
  });

  const toggleArchive = () =>
    mutate({ is_archived: !is_archived }, () =>
      showToast({
        text: is_archived ? texts.restoredToast : texts.archivedToast,
        action: { label: undo, onSelect: () => void mutate({ is_archived }) },
      }),
    );

  return {
    isBusy: isPending,
    togglePin: () => void mutate({ is_pinned: !is_pinned }),
    toggleArchive: () => void toggleArchive(),
  };
}

import { useCallback, useSyncExternalStore } from "react";
import type { Conversation, DeletedCounts } from "../api/types";
import { Leaving } from "../model/leaving";
import { deleteConversation } from "./useConversations";
import { conversationPath, useNavigation } from "./useRoute";
import { useUndoableDeletion } from "./useUndoableDeletion";

const leaving = new Leaving();

/** The conversations that are shown no more, and may still be brought back. */
export function useLeaving(): ReadonlySet<string> {
  return useSyncExternalStore(leaving.subscribe, leaving.getIds);
}

interface DeletionTexts {
  deleted: string;
  receipt: (counts: DeletedCounts) => string;
}

/** Takes a conversation away for as long as that can be undone, which goes back to it. */
export function useDeletion({ deleted, receipt }: DeletionTexts): (one: Conversation) => void {
  const { navigate } = useNavigation();
  const remove = useUndoableDeletion({ leaving, send: deleteConversation, deleted, receipt });

  return useCallback(
    ({ id }: Conversation) => remove(id, () => navigate(conversationPath(id))),
    [remove, navigate],
  );
}

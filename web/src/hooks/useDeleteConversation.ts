import { useCallback, useSyncExternalStore } from "react";
import type { Conversation, DeletedCounts } from "../api/types";
import { PendingDeletions } from "../model/pendingDeletions";
import { deleteConversation } from "./useConversations";
import { conversationPath, useNavigation } from "./useRoute";
import { useUndoableDelete } from "./useUndoableDelete";

const pending = new PendingDeletions();

/** Ids of the hidden conversations whose deletion can still be undone. */
export function usePendingDeletions(): ReadonlySet<string> {
  return useSyncExternalStore(pending.subscribe, pending.getIds);
}

interface DeletionTexts {
  deleted: string;
  receipt: (counts: DeletedCounts) => string;
}

/** Deletes a conversation after the time to undo; undo opens it again. */
export function useDeleteConversation(texts: DeletionTexts): (conversation: Conversation) => void {
  const { navigate } = useNavigation();
  const remove = useUndoableDelete({ pending, send: deleteConversation, ...texts });

  return useCallback(
    ({ id }: Conversation) => remove(id, () => navigate(conversationPath(id))),
    [remove, navigate],
  );
}

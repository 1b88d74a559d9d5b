import { useCallback } from "react";
import { forkConversation } from "../../api/conversations";
import { publishChange } from "../../api/dataChanges";
import { conversationPath, useNavigation } from "../../hooks/useRoute";
import { useToast } from "../../hooks/useToast";
import { useChatTexts } from "./texts";

/** Copies a conversation, up to a message or completely, and opens the copy. */
export function useFork(): (conversationId: string, at?: number) => Promise<void> {
  const { forked } = useChatTexts();
  const { navigate } = useNavigation();
  const showToast = useToast();

  return useCallback(
    async (conversationId, at) => {
      const copy = await forkConversation(conversationId, at);
      publishChange({ kind: "conversation", id: copy.id });
      navigate(conversationPath(copy.id));
      showToast({ text: forked });
    },
    [forked, navigate, showToast],
  );
}

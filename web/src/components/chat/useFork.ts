import { useCallback } from "react";
import { announce } from "../../api/changes";
import { forkConversation } from "../../api/conversations";
import { conversationPath, useNavigation } from "../../hooks/useRoute";
import { useToasts } from "../../hooks/useToasts";
import { useTexts } from "../../texts/texts";
import { texts as chatTexts } from "./texts";

/** Makes a copy of a conversation, up to a message or whole, and goes there. */
export function useFork(): (conversationId: string, at?: number) => Promise<void> {
  const { forked } = useTexts(chatTexts);
  const { navigate } = useNavigation();
  const tell = useToasts();

  return useCallback(
    async (conversationId, at) => {
      const made = await forkConversation(conversationId, at);
      announce({ kind: "conversation", id: made.id });
      navigate(conversationPath(made.id));
      tell({ text: forked });
    },
    [forked, navigate, tell],
  );
}

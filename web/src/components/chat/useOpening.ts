import { useCallback, useEffect, useRef } from "react";
import { fullName, notesName } from "../../hooks/useAskOptions";
import type { Chat } from "../../hooks/useChat";
import { draftName } from "../../hooks/useDraft";
import { moveKept } from "../../hooks/useKept";
import { conversationPath, useNavigation, type Route } from "../../hooks/useRoute";

type ChatRoute = Extract<Route, { page: "chat" }>;

/**
 * Opens what the address says. The function that is returned gives a conversation which has begun
 * here its address, unless the reader has gone elsewhere meanwhile.
 */
export function useOpening(chat: Chat, { conversationId, place }: ChatRoute): (id: string) => void {
  const { navigate } = useNavigation();
  const { loadConversation, createNewConversation } = chat;
  /** What is open, by the address; undefined where that is not known. */
  const openId = useRef<string | null | undefined>(chat.conversationId);
  const at = useRef(place);
  at.current = place;

  useEffect(() => {
    if (conversationId === openId.current) return;
    openId.current = conversationId;
    if (conversationId === null) createNewConversation();
    else void loadConversation(conversationId, at.current);
  }, [conversationId, loadConversation, createNewConversation]);

  useEffect(
    () => () => {
      openId.current = undefined; // whoever takes the page up again opens anew
    },
    [],
  );

  return useCallback(
    (id) => {
      moveKept(draftName(null), draftName(id));
      moveKept(notesName(null), notesName(id));
      moveKept(fullName(null), fullName(id));
      if (openId.current !== null) return;
      openId.current = id;
      navigate(conversationPath(id), { replace: true });
    },
    [navigate],
  );
}

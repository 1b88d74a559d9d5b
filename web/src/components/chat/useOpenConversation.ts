import { useCallback, useEffect, useRef } from "react";
import { fullContextKey, notesKey } from "../../hooks/useAskOptions";
import type { Chat } from "../../hooks/useChat";
import { draftKey } from "../../hooks/useDraft";
import { moveStorage } from "../../hooks/useLocalStorage";
import { conversationPath, useNavigation, type Route } from "../../hooks/useRoute";

type ChatRoute = Extract<Route, { page: "chat" }>;

/**
 * Opens the conversation of the URL. The returned function navigates to a new conversation, unless
 * the user has left it meanwhile.
 */
export function useOpenConversation(chat: Chat, { conversationId, anchor }: ChatRoute): (id: string) => void {
  const { navigate } = useNavigation();
  const { loadConversation, createNewConversation } = chat;
  /** The open conversation; undefined if unknown. */
  const openId = useRef<string | null | undefined>(chat.conversationId);
  const anchorRef = useRef(anchor);
  anchorRef.current = anchor;

  useEffect(() => {
    if (conversationId === openId.current) return;
    openId.current = conversationId;
    if (conversationId === null) createNewConversation();
    else void loadConversation(conversationId, anchorRef.current);
  }, [conversationId, loadConversation, createNewConversation]);

  useEffect(
    () => () => {
      openId.current = undefined; // open again after a remount
    },
    [],
  );

  return useCallback(
    (id) => {
      moveStorage(draftKey(null), draftKey(id));
      moveStorage(notesKey(null), notesKey(id));
      moveStorage(fullContextKey(null), fullContextKey(id));
      if (openId.current !== null) return;
      openId.current = id;
      navigate(conversationPath(id), { replace: true });
    },
    [navigate],
  );
}

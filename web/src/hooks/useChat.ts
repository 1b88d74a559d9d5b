import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { Message } from "../api/types";
import { ChatSession, type ChatState } from "../session/ChatSession";
import { useReturn } from "./useReturn";

type Actions = Pick<
  ChatSession,
  | "send"
  | "stop"
  | "regenerate"
  | "edit"
  | "pin"
  | "rate"
  | "remove"
  | "show"
  | "showLatest"
  | "loadOlder"
  | "loadNewer"
  | "refresh"
  | "updateConversation"
  | "dismissFailure"
>;

export interface Chat extends ChatState, Actions {
  title: string;
  isLoading: boolean;
  /** Whether nothing can be asked just now: an answer is being written, or a question that did not
   * arrive is still to be sent again or taken back. */
  isBusy: boolean;
  messages: readonly Message[];
  /** Opens a conversation at its end, or at a message, which its id or its number names. */
  loadConversation: (id: string, place?: string | null) => Promise<void>;
  /** Begins one; the server learns of it with its first message. */
  createNewConversation: () => void;
  updateConversationTitle: (title: string) => Promise<void>;
}

/** One open conversation: its messages, the answer that is being written, and what can be done. */
export function useChat(): Chat {
  const [session] = useState(() => new ChatSession());
  const state = useSyncExternalStore(session.subscribe, session.getState);
  const actions = useMemo(() => actionsOf(session), [session]);

  useEffect(() => () => session.close(), [session]);
  useReturn(actions.refresh);

  return {
    ...state,
    ...actions,
    title: state.conversation?.title ?? "",
    isLoading: state.loading === "all",
    isBusy: state.answering !== null || state.pending !== null,
  };
}

function actionsOf(session: ChatSession) {
  return {
    loadConversation: session.open.bind(session),
    createNewConversation: session.begin.bind(session),
    updateConversationTitle: (title: string) => session.updateConversation({ title }),
    updateConversation: session.updateConversation.bind(session),
    send: session.send.bind(session),
    stop: session.stop.bind(session),
    regenerate: session.regenerate.bind(session),
    edit: session.edit.bind(session),
    pin: session.pin.bind(session),
    rate: session.rate.bind(session),
    remove: session.remove.bind(session),
    show: session.show.bind(session),
    showLatest: session.showLatest.bind(session),
    loadOlder: session.loadOlder.bind(session),
    loadNewer: session.loadNewer.bind(session),
    refresh: session.refresh.bind(session),
    dismissFailure: session.dismissFailure.bind(session),
  };
}

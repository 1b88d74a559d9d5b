import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { Message } from "../api/types";
import { ChatSession, type ChatState } from "../session/ChatSession";
import { useWindowFocus } from "./useWindowFocus";

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
  /** Whether an answer is running, or a question failed and waits for a retry. */
  isBusy: boolean;
  messages: readonly Message[];
  /** Opens a conversation at its end, or at a message (its id or sequence number). */
  loadConversation: (id: string, anchor?: string | null) => Promise<void>;
  /** Starts a conversation, which is created with its first message. */
  createNewConversation: () => void;
  updateConversationTitle: (title: string) => Promise<void>;
}

/** An open conversation: its messages, the running answer, and actions. */
export function useChat(): Chat {
  const [session] = useState(() => new ChatSession());
  const state = useSyncExternalStore(session.subscribe, session.getState);
  const actions = useMemo(() => bindActions(session), [session]);

  useEffect(() => () => session.close(), [session]);
  useWindowFocus(actions.refresh);

  return {
    ...state,
    ...actions,
    title: state.conversation?.title ?? "",
    isLoading: state.loading === "all",
    isBusy: state.activeAnswer !== null || state.pending !== null,
  };
}

function bindActions(session: ChatSession) {
  return {
    loadConversation: session.open.bind(session),
    createNewConversation: session.close.bind(session),
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

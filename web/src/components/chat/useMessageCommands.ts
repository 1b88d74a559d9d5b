import { useMemo, useState } from "react";
import type { AskOptions } from "../../api/chat";
import type { Message } from "../../api/types";
import type { Chat } from "../../hooks/useChat";
import { useErrorToast } from "../../hooks/useErrorToast";
import { useFork } from "./useFork";

/** Actions on messages. One stable object for all rows, so that memoized rows do not re-render. */
export interface MessageCommands {
  rate: (message: Message, rating: "up" | "down") => void;
  pin: (message: Message) => void;
  regenerate: (message: Message) => void;
  regenerateFull: (message: Message) => void;
  compare: (message: Message | null) => void;
  showReceipt: (message: Message) => void;
  beginEdit: (message: Message | null) => void;
  edit: (message: Message, text: string) => void;
  fork: (message: Message) => void;
  remove: (message: Message) => void;
}

interface MessageView {
  commands: MessageCommands;
  editingId: string | null;
  /** The answer that is compared with the previous one. */
  comparingId: string | null;
  removing: Message | null;
  setRemoving: (message: Message | null) => void;
}

/** The compared answer; `id` is null until the new answer exists. */
interface Comparison {
  conversationId: string;
  turn: number;
  id: string | null;
}

export function useMessageCommands(
  chat: Chat,
  options: AskOptions,
  showReceipt: (message: Message) => void,
): MessageView {
  const withErrorToast = useErrorToast();
  const fork = useFork();
  const [editingId, setEditingId] = useState<string | null>(null);
  const [comparison, setComparison] = useState<Comparison | null>(null);
  const [removing, setRemoving] = useState<Message | null>(null);
  const { rate, pin, regenerate, edit } = chat;

  const commands = useMemo<MessageCommands>(() => {
    const compare = ({ conversation_id, turn }: Message, id: string | null) =>
      setComparison({ conversationId: conversation_id, turn, id });
    return {
      rate: (message, rating) => withErrorToast(rate(message, message.rating === rating ? null : rating)),
      pin: (message) => withErrorToast(pin(message, !message.is_pinned)),
      regenerate: (message) => withErrorToast(regenerate(message.id, options)),
      regenerateFull: (message) => {
        compare(message, null);
        withErrorToast(regenerate(message.id, { ...options, mode: "full" }));
      },
      compare: (message) => (message ? compare(message, message.id) : setComparison(null)),
      showReceipt,
      beginEdit: (message) => setEditingId(message?.id ?? null),
      edit: (message, text) => {
        setEditingId(null);
        withErrorToast(edit(message.id, text, options));
      },
      fork: (message) => withErrorToast(fork(message.conversation_id, message.seq)),
      remove: setRemoving,
    };
  }, [rate, pin, regenerate, edit, options, showReceipt, fork, withErrorToast]);

  const comparingId =
    comparison?.conversationId === chat.conversationId ? comparedId(comparison, chat.messages) : null;
  return { commands, editingId, comparingId, removing, setRemoving };
}

function comparedId({ id, turn }: Comparison, messages: readonly Message[]): string | null {
  if (id !== null) return id;
  const isAnswer = (message: Message) =>
    message.turn === turn && message.role === "assistant" && message.superseded_at === null;
  return messages.findLast(isAnswer)?.id ?? null;
}

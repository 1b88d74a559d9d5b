import { useMemo, useState } from "react";
import type { AskOptions } from "../../api/chat";
import type { Message } from "../../api/types";
import type { Chat } from "../../hooks/useChat";
import { useTrying } from "../../hooks/useTrying";
import type { MessageCommands } from "./commands";
import { useFork } from "./useFork";

interface MessageView {
  commands: MessageCommands;
  editingId: string | null;
  /** The answer that is shown beside the one before it. */
  comparingId: string | null;
  removing: Message | null;
  setRemoving: (message: Message | null) => void;
}

/** An answer that is being compared, or, where it is still to come, the turn that it is for. */
interface Comparison {
  conversationId: string;
  turn: number;
  id: string | null;
}

export function useMessageCommands(
  chat: Chat,
  options: AskOptions,
  showSeen: (message: Message) => void,
): MessageView {
  const trying = useTrying();
  const fork = useFork();
  const [editingId, setEditingId] = useState<string | null>(null);
  const [comparison, setComparison] = useState<Comparison | null>(null);
  const [removing, setRemoving] = useState<Message | null>(null);
  const { rate, pin, regenerate, edit } = chat;

  const commands = useMemo<MessageCommands>(() => {
    const compare = ({ conversation_id, turn }: Message, id: string | null) =>
      setComparison({ conversationId: conversation_id, turn, id });
    return {
      rate: (message, rating) => trying(rate(message, message.rating === rating ? null : rating)),
      pin: (message) => trying(pin(message, !message.is_pinned)),
      regenerate: (message) => trying(regenerate(message.id, options)),
      regenerateFull: (message) => {
        compare(message, null);
        trying(regenerate(message.id, { ...options, mode: "full" }));
      },
      compare: (message) => (message ? compare(message, message.id) : setComparison(null)),
      showSeen,
      beginEdit: (message) => setEditingId(message?.id ?? null),
      edit: (message, text) => {
        setEditingId(null);
        trying(edit(message.id, text, options));
      },
      fork: (message) => trying(fork(message.conversation_id, message.seq)),
      remove: setRemoving,
    };
  }, [rate, pin, regenerate, edit, options, showSeen, fork, trying]);

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

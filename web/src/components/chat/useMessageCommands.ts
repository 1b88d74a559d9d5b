import { useMemo, useState } from "react";
import { announce } from "../../api/changes";
import { forkConversation } from "../../api/conversations";
import { ApiError } from "../../api/error";
import type { Message } from "../../api/types";
import type { Chat } from "../../hooks/useChat";
import { conversationPath, useNavigation } from "../../hooks/useRoute";
import { useToasts } from "../../hooks/useToasts";
import { useTexts } from "../../texts/texts";
import type { MessageCommands } from "./commands";
import { texts as chatTexts } from "./texts";

export interface MessageView {
  commands: MessageCommands;
  editingId: string | null;
  /** The answer that is shown beside the one before it. */
  comparingId: string | null;
  removing: Message | null;
  setRemoving: (message: Message | null) => void;
}

export function useMessageCommands(chat: Chat, showSeen: (message: Message) => void): MessageView {
  const texts = useTexts(chatTexts);
  const tell = useToasts();
  const { navigate } = useNavigation();
  const [editingId, setEditingId] = useState<string | null>(null);
  const [comparison, setComparison] = useState<Comparison | null>(null);
  const [removing, setRemoving] = useState<Message | null>(null);
  const { rate, pin, regenerate, edit } = chat;

  const commands = useMemo<MessageCommands>(() => {
    const trying = (doing: Promise<unknown>) => {
      doing.catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        tell({ text: error.message, isError: true });
      });
    };
    return {
      rate: (message, rating) => trying(rate(message, message.rating === rating ? null : rating)),
      pin: (message) => trying(pin(message, !message.is_pinned)),
      regenerate: (message) => trying(regenerate(message.id)),
      regenerateFull: (message) => {
        setComparison({ turn: message.turn, id: null });
        trying(regenerate(message.id, { mode: "full" }));
      },
      compare: (message) => setComparison(message && { turn: message.turn, id: message.id }),
      showSeen,
      beginEdit: (message) => setEditingId(message?.id ?? null),
      edit: (message, text) => {
        setEditingId(null);
        trying(edit(message.id, text));
      },
      fork: (message) =>
        trying(
          forkConversation(message.conversation_id, message.seq).then((made) => {
            announce({ kind: "conversation", id: made.id });
            navigate(conversationPath(made.id));
            tell({ text: texts.forked });
          }),
        ),
      remove: setRemoving,
    };
  }, [rate, pin, regenerate, edit, showSeen, navigate, tell, texts]);

  // The answer that is being compared may still be on its way: then it is its turn's newest.
  const comparingId =
    comparison &&
    (comparison.id ??
      chat.messages.findLast(
        ({ turn, role, superseded_at }) =>
          turn === comparison.turn && role === "assistant" && !superseded_at,
      )?.id ??
      null);
  return { commands, editingId, comparingId, removing, setRemoving };
}

interface Comparison {
  turn: number;
  id: string | null;
}

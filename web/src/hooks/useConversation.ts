import { useCallback, useEffect, useState } from "react";
import { getConversation } from "../api/conversations";
import type { ApiError } from "../api/error";
import type { Conversation } from "../api/types";

export interface ConversationState {
  conversation: Conversation | null;
  error: ApiError | null;
  reload: () => void;
}

/** One conversation by id; `known`, if the list has it already, stands in until it is loaded. */
export function useConversation(id: string, known: Conversation | null): ConversationState {
  const [loaded, setLoaded] = useState<Conversation | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const controller = new AbortController();
    getConversation(id, controller.signal).then(
      (conversation) => {
        setLoaded(conversation);
        setError(null);
      },
      (failure: ApiError) => {
        if (!controller.signal.aborted) setError(failure);
      },
    );
    return () => controller.abort();
  }, [id, attempt]);

  const reload = useCallback(() => setAttempt((old) => old + 1), []);

  return { conversation: loaded ?? known, error, reload };
}

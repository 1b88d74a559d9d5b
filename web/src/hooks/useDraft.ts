import { useCallback } from "react";
import { readStorage, useLocalStorage, writeStorage } from "./useLocalStorage";

export interface Draft {
  text: string;
  setText: (text: string) => void;
  /** Clears the text. The stored copy stays until the returned function is called, once the message
   * has arrived, or until the user types again. */
  clear: () => () => void;
}

export function draftKey(conversationId: string | null): string {
  return `recollect.draft.${conversationId ?? "new"}`;
}

/** The unsent message of a conversation, stored in the browser. */
export function useDraft(conversationId: string | null): Draft {
  const key = draftKey(conversationId);
  const [text, setText] = useLocalStorage(key, "");

  const clear = useCallback(() => {
    setText("");
    writeStorage(key, text);
    return () => {
      if (readStorage(key, "") === text) writeStorage(key, "");
    };
  }, [key, text, setText]);

  return { text, setText, clear };
}

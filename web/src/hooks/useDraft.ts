import { useCallback } from "react";
import { readKept, useKept, writeKept } from "./useKept";

export interface Draft {
  text: string;
  write: (text: string) => void;
  /** Empties the field. What was in it stays in the browser until the function that is returned
   * says that the server has it, or until something else is typed. */
  take: () => () => void;
}

export function draftName(conversationId: string | null): string {
  return `recollect.draft.${conversationId ?? "new"}`;
}

/** What has been typed and not sent, kept for each conversation. */
export function useDraft(conversationId: string | null): Draft {
  const name = draftName(conversationId);
  const [text, write] = useKept(name, "");

  const take = useCallback(() => {
    write("");
    writeKept(name, text);
    return () => {
      if (readKept(name, "") === text) writeKept(name, "");
    };
  }, [name, text, write]);

  return { text, write, take };
}

import { useMemo } from "react";
import { listMessages } from "../api/messages";
import type { Message } from "../api/types";
import { usePaged, type Paged, type Source } from "./usePaged";

/** The messages of a conversation, newest first. */
export function useMessages(conversationId: string): Paged<Message> {
  const source = useMemo<Source<Message>>(
    () => ({
      load: (cursor, signal) => listMessages(conversationId, cursor, signal),
      isFarther: (item, than) => item.seq < than.seq,
    }),
    [conversationId],
  );
  return usePaged(source);
}

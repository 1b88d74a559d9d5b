import { useMemo } from "react";
import { listConversations } from "../api/conversations";
import type { Conversation } from "../api/types";
import { usePaged, type Paged, type Source } from "./usePaged";

/** The conversations whose title or topic fits `q`, the latest activity first. */
export function useConversations(q: string): Paged<Conversation> {
  const source = useMemo<Source<Conversation>>(
    () => ({
      load: (cursor, signal) => listConversations({ q, cursor }, signal),
      isFarther: (item, than) => Date.parse(item.last_activity_at) < Date.parse(than.last_activity_at),
    }),
    [q],
  );
  return usePaged(source);
}

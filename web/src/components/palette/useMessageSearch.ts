import { useCallback } from "react";
import { getConversation } from "../../api/conversations";
import { ApiError } from "../../api/error";
import { search } from "../../api/search";
import type { Conversation } from "../../api/types";
import { useResource } from "../../hooks/useResource";
import type { FoundMessage } from "../../model/palette";

const MAX_MESSAGES = 4;
const none: readonly FoundMessage[] = [];

/** The messages that match a sentence best; none for an empty one. Failures are ignored. */
export function useMessageSearch(query: string): readonly FoundMessage[] {
  const load = useCallback(
    async (signal: AbortSignal) => (query === "" ? null : findMessages(query, signal)),
    [query],
  );
  return useResource(load).value ?? none;
}

async function findMessages(query: string, signal: AbortSignal): Promise<readonly FoundMessage[]> {
  const { items } = await search(query, "messages", signal, MAX_MESSAGES);
  const ids = [...new Set(items.flatMap(({ conversation_id }) => conversation_id ?? []))];
  const conversations = new Map<string, Conversation>();
  await Promise.all(
    ids.map(async (id) => {
      try {
        conversations.set(id, await getConversation(id, signal));
      } catch (error) {
        // It was deleted meanwhile.
        if (!(error instanceof ApiError && error.isNotFound)) throw error;
      }
    }),
  );
  return items.flatMap((hit) => {
    const conversation = conversations.get(hit.conversation_id ?? "");
    return conversation ? [{ hit, conversation }] : [];
  });
}

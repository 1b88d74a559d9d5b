import { useCallback } from "react";
import { ApiError } from "../../api/error";
import { getMessage } from "../../api/messages";
import type { Message, ReceiptItem } from "../../api/types";
import { useResource } from "../../hooks/useResource";
import { passageSource } from "../../model/receipt";

/** The messages of passages by id, null for deleted ones. Messages that failed to load are missing. */
export type PassageMessages = ReadonlyMap<string, Message | null>;

/** Loads the messages that passages are quoted from: a receipt has only their ids. */
export function usePassageMessages(items: readonly ReceiptItem[]): PassageMessages {
  // A key, because polling replaces the items.
  const key = JSON.stringify([
    ...new Map(
      items.flatMap((item) => {
        const source = passageSource(item);
        return source ? [[source.messageId, source.conversationId] as const] : [];
      }),
    ),
  ]);
  const load = useCallback(
    async (signal: AbortSignal) => {
      const sources = JSON.parse(key) as [messageId: string, conversationId: string][];
      const found = await Promise.all(
        sources.map(async ([id, conversationId]) => [id, await find(conversationId, id, signal)] as const),
      );
      return new Map(found.filter((entry): entry is [string, Message | null] => entry[1] !== undefined));
    },
    [key],
  );
  return useResource<PassageMessages>(load).value ?? new Map();
}

async function find(
  conversationId: string,
  id: string,
  signal: AbortSignal,
): Promise<Message | null | undefined> {
  try {
    return await getMessage(conversationId, id, signal);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.isNotFound ? null : undefined;
  }
}

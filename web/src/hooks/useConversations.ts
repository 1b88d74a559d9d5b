import { useCallback, useMemo } from "react";
import { announce, type Change } from "../api/changes";
import {
  createConversation,
  deleteConversation,
  listConversations,
  updateConversation,
} from "../api/conversations";
import type { Conversation, DeletedCounts, MessageIn } from "../api/types";
import { useChange } from "./useChange";
import { usePaged, type Paged, type Source } from "./usePaged";
import { useReturn } from "./useReturn";

export interface Conversations extends Paged<Conversation> {
  createNewConversation: (body?: {
    title?: string;
    policy?: string;
    messages?: readonly MessageIn[];
  }) => Promise<Conversation>;
  updateConversationTitle: (id: string, title: string) => Promise<Conversation>;
  archiveConversation: (id: string, isArchived: boolean) => Promise<Conversation>;
  deleteConversation: (id: string) => Promise<DeletedCounts>;
}

/** The conversations whose title or topic fits `q`, the latest activity first. */
export function useConversations(q: string, isArchived: boolean = false): Conversations {
  const source = useMemo<Source<Conversation>>(
    () => ({
      load: (cursor, signal) => listConversations({ q, archived: isArchived, cursor }, signal),
      isFarther: (item, than) => Date.parse(item.last_activity_at) < Date.parse(than.last_activity_at),
    }),
    [q, isArchived],
  );
  const paged = usePaged(source);

  const { refresh } = paged;
  useReturn(refresh);
  useChange(
    useCallback(
      (change: Change) => {
        if (change.kind !== "memories") refresh();
      },
      [refresh],
    ),
  );

  return { ...paged, ...actions };
}

const actions = {
  createNewConversation: (body = {}) => telling(createConversation(body)),
  updateConversationTitle: (id, title) => telling(updateConversation(id, { title })),
  archiveConversation: (id, isArchived) =>
    telling(updateConversation(id, { is_archived: isArchived })),
  deleteConversation: async (id) => {
    const { deleted } = await deleteConversation(id);
    announce({ kind: "conversations" });
    announce({ kind: "memories" });
    return deleted;
  },
} satisfies Partial<Conversations>;

async function telling(changing: Promise<Conversation>): Promise<Conversation> {
  const conversation = await changing;
  announce({ kind: "conversation", id: conversation.id });
  return conversation;
}

import { useCallback, useMemo } from "react";
import { announce, type Change } from "../api/changes";
import * as api from "../api/conversations";
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
export function useConversations(q: string = "", isArchived: boolean = false): Conversations {
  const source = useMemo<Source<Conversation>>(
    () => ({
      load: (cursor, signal) => api.listConversations({ q, archived: isArchived, cursor }, signal),
      isFarther: (item, than) => Date.parse(item.last_activity_at) < Date.parse(than.last_activity_at),
    }),
    [q, isArchived],
  );
  const paged = usePaged(source);

  const { refresh, drop } = paged;
  useReturn(refresh);
  useChange(
    useCallback(
      (change: Change) => {
        if (change.kind === "deleted") drop(change.id);
        else if (change.kind !== "memories") refresh();
      },
      [refresh, drop],
    ),
  );

  return { ...paged, ...actions };
}

const actions = {
  createNewConversation: (body = {}) => telling(api.createConversation(body)),
  updateConversationTitle: (id, title) => telling(api.updateConversation(id, { title })),
  archiveConversation: (id, isArchived) =>
    telling(api.updateConversation(id, { is_archived: isArchived })),
  deleteConversation,
} satisfies Partial<Conversations>;

/** For good, with what was made of it. */
export async function deleteConversation(id: string): Promise<DeletedCounts> {
  const { deleted } = await api.deleteConversation(id);
  announce({ kind: "deleted", id });
  announce({ kind: "conversation", id });
  announce({ kind: "memories" });
  return deleted;
}

async function telling(changing: Promise<Conversation>): Promise<Conversation> {
  const conversation = await changing;
  announce({ kind: "conversation", id: conversation.id });
  return conversation;
}

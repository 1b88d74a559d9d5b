import { useCallback, useMemo } from "react";
import * as api from "../api/conversations";
import { publishChange, type DataChange } from "../api/dataChanges";
import type { Conversation, DeletedCounts, MessageIn } from "../api/types";
import { useDataChange } from "./useDataChange";
import { usePagedList, type PagedList, type PageSource } from "./usePagedList";
import { useWindowFocus } from "./useWindowFocus";

export interface Conversations extends PagedList<Conversation> {
  createNewConversation: (body?: {
    title?: string;
    policy?: string;
    messages?: readonly MessageIn[];
  }) => Promise<Conversation>;
  updateConversationTitle: (id: string, title: string) => Promise<Conversation>;
  archiveConversation: (id: string, isArchived: boolean) => Promise<Conversation>;
  deleteConversation: (id: string) => Promise<DeletedCounts>;
}

/**
 * The conversations whose title or topic matches `q`, of one project or of all, latest activity
 * first.
 */
export function useConversations(
  q: string = "",
  isArchived: boolean = false,
  projectId: string | null = null,
): Conversations {
  const source = useMemo<PageSource<Conversation>>(
    () => ({
      load: (cursor, signal) =>
        api.listConversations({ q, archived: isArchived, project_id: projectId, cursor }, signal),
      isAfter: (item, other) => Date.parse(item.last_activity_at) < Date.parse(other.last_activity_at),
    }),
    [q, isArchived, projectId],
  );
  const list = usePagedList(source);

  const { refresh, drop } = list;
  useWindowFocus(refresh);
  useDataChange(
    useCallback(
      (change: DataChange) => {
        if (change.kind === "deleted") drop(change.id);
        else if (change.kind !== "memories") refresh();
      },
      [refresh, drop],
    ),
  );

  return { ...list, ...actions };
}

const actions = {
  createNewConversation: (body = {}) => publishing(api.createConversation(body)),
  updateConversationTitle: (id, title) => publishing(api.updateConversation(id, { title })),
  archiveConversation: (id, isArchived) =>
    publishing(api.updateConversation(id, { is_archived: isArchived })),
  deleteConversation,
} satisfies Partial<Conversations>;

export async function deleteConversation(id: string): Promise<DeletedCounts> {
  const { deleted } = await api.deleteConversation(id);
  publishChange({ kind: "deleted", id });
  publishChange({ kind: "conversation", id });
  publishChange({ kind: "memories" });
  return deleted;
}

async function publishing(change: Promise<Conversation>): Promise<Conversation> {
  const conversation = await change;
  publishChange({ kind: "conversation", id: conversation.id });
  return conversation;
}

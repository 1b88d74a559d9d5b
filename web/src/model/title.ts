import type { Conversation } from "../api/types";

export function titleOf(conversation: Conversation, untitled: string): string {
  return conversation.title?.trim() || untitled;
}

/** What tells a conversation from others in a list: while it has no title, how it began. */
export function nameOf({ title, topic }: Pick<Conversation, "title" | "topic">): string | null {
  return title?.trim() || topic?.trim() || null;
}

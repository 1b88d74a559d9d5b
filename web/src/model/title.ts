import type { Conversation } from "../api/types";

export function conversationTitle(conversation: Conversation, untitled: string): string {
  return conversation.title?.trim() || untitled;
}

/** Returns the title, or the topic for a conversation without one. */
export function titleOrTopic({ title, topic }: Pick<Conversation, "title" | "topic">): string | null {
  return title?.trim() || topic?.trim() || null;
}

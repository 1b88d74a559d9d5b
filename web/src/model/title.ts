import type { Conversation } from "../api/types";

export function titleOf(conversation: Conversation, untitled: string): string {
  return conversation.title?.trim() || untitled;
}

import type { Conversation } from "../api/types";

export function titleOf(conversation: Conversation): string {
  return conversation.title?.trim() || "Untitled conversation";
}

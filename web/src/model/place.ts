import type { Message } from "../api/types";

/** Whether a message is the one that a place, its id or its number, names. */
export function isAt(message: Message, place: string): boolean {
  return message.id === place || String(message.seq) === place;
}

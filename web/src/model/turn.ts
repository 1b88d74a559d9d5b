import type { Message } from "../api/types";

export interface Turn {
  number: number;
  messages: readonly Message[];
}

/** Puts messages that came newest first into reading order, grouped by turn; without those that
 * another answer, or an edited question, has taken the place of. */
export function groupByTurn(newestFirst: readonly Message[]): Turn[] {
  const turns: { number: number; messages: Message[] }[] = [];
  const standing = newestFirst.filter(({ superseded_at }) => !superseded_at);
  for (const message of standing.toReversed()) {
    const last = turns.at(-1);
    if (last?.number === message.turn) last.messages.push(message);
    else turns.push({ number: message.turn, messages: [message] });
  }
  return turns;
}

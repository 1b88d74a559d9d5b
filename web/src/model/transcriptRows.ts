/**
 * The rows of a transcript: current messages and the dividers between them. Keys are stable while
 * other rows come and go.
 */
import type { Message } from "../api/types";
import { groupBy } from "./groupBy";

export type Row =
  | { kind: "day"; key: string; iso: string }
  | {
      kind: "message";
      key: string;
      message: Message;
      /** Answers that this one replaced, oldest first. */
      earlier: readonly Message[];
      isLast: boolean;
    }
  | { kind: "summary-end"; key: string; throughSeq: number };

interface RowOptions {
  /** Sequence numbers that the running answer replaces. */
  replaced: { from: number; to: number } | null;
  /** Last message covered by the summary; 0 for none. */
  throughSeq: number;
  /** Whether these are the last messages of the conversation. */
  isEnd: boolean;
}

export function transcriptRows(messages: readonly Message[], { replaced, throughSeq, isEnd }: RowOptions): Row[] {
  const isReplaced = ({ seq, superseded_at }: Message) =>
    superseded_at !== null || (replaced !== null && replaced.from <= seq && seq <= replaced.to);
  const replacedByTurn = groupBy(messages.filter(isReplaced), ({ turn }) => turn);
  const current = messages.filter((message) => !isReplaced(message));
  const last = current.at(-1);
  const rows: Row[] = [];
  let day = "";
  let isCovered = false;
  for (const message of current) {
    if (isCovered && message.seq > throughSeq) {
      rows.push({ kind: "summary-end", key: `summary-end-${throughSeq}`, throughSeq });
    }
    isCovered = message.seq <= throughSeq;
    const messageDay = new Date(message.event_at).toDateString();
    if (messageDay !== day) rows.push({ kind: "day", key: `day-${message.id}`, iso: message.event_at });
    day = messageDay;
    rows.push({
      kind: "message",
      key: message.id,
      message,
      earlier: message.role === "assistant" ? earlierAnswers(replacedByTurn.get(message.turn)) : [],
      isLast: isEnd && message === last,
    });
  }
  return rows;
}

function earlierAnswers(replaced: readonly Message[] = []): Message[] {
  return replaced.filter(({ role, content }) => role === "assistant" && content !== "");
}

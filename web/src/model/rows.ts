/**
 * A transcript is a list of rows: the messages that stand, and between them what helps to read
 * them. Each row has a key that stays its own while others come and go around it.
 */
import type { Message } from "../api/types";
import { groupBy } from "./groupBy";

export type Row =
  | { kind: "day"; key: string; iso: string }
  | {
      kind: "message";
      key: string;
      message: Message;
      /** Answers that this one has taken the place of, oldest first. */
      earlier: readonly Message[];
      isLast: boolean;
    }
  /** Up to here the summary covers what was said. */
  | { kind: "covered"; key: string; throughSeq: number };

interface Marks {
  /** The numbers of what is about to be replaced, from the new answer's first word on. */
  replaced: { from: number; to: number } | null;
  /** The number of the last message that the summary covers; 0 for none. */
  throughSeq: number;
  /** Whether the conversation ends with these messages. */
  isEnd: boolean;
}

export function rowsOf(messages: readonly Message[], { replaced, throughSeq, isEnd }: Marks): Row[] {
  const isGone = ({ seq, superseded_at }: Message) =>
    superseded_at !== null || (replaced !== null && replaced.from <= seq && seq <= replaced.to);
  const gone = groupBy(messages.filter(isGone), ({ turn }) => turn);
  const standing = messages.filter((message) => !isGone(message));
  const last = standing.at(-1);
  const rows: Row[] = [];
  let day = "";
  let isCovered = false;
  for (const message of standing) {
    if (isCovered && message.seq > throughSeq) {
      rows.push({ kind: "covered", key: `covered-${throughSeq}`, throughSeq });
    }
    isCovered = message.seq <= throughSeq;
    const itsDay = new Date(message.event_at).toDateString();
    if (itsDay !== day) rows.push({ kind: "day", key: `day-${message.id}`, iso: message.event_at });
    day = itsDay;
    rows.push({
      kind: "message",
      key: message.id,
      message,
      earlier: message.role === "assistant" ? earlierAnswers(gone.get(message.turn)) : [],
      isLast: isEnd && message === last,
    });
  }
  return rows;
}

function earlierAnswers(gone: readonly Message[] = []): Message[] {
  return gone.filter(({ role, content }) => role === "assistant" && content !== "");
}

import { expect, it } from "vitest";
import type { Message } from "../api/types";
import { transcriptRows } from "./transcriptRows";

const defaults = { replaced: null, throughSeq: 0, isEnd: true };

function message(seq: number, fields: Partial<Message> = {}): Message {
  return {
    id: `m${seq}`,
    seq,
    turn: Math.ceil(seq / 2),
    role: seq % 2 === 1 ? "user" : "assistant",
    content: `Number ${seq}`,
    event_at: "2026-11-16T09:00:00Z",
    superseded_at: null,
    ...fields,
  } as Message;
}

const shape = (rows: ReturnType<typeof transcriptRows>) =>
  rows.map((row) => (row.kind === "message" ? row.message.seq : row.kind));

it("starts each day with a divider", () => {
  const messages = [message(1), message(2), message(3, { event_at: "2026-11-18T09:00:00Z" })];
  expect(shape(transcriptRows(messages, defaults))).toEqual(["day", 1, 2, "day", 3]);
});

it("shows the current answer with the ones it replaced", () => {
  const superseded_at = "2026-11-16T09:01:00Z";
  const messages = [message(1), message(2, { superseded_at }), message(3, { turn: 1, role: "assistant" })];
  const [, , answer] = transcriptRows(messages, defaults);
  expect(answer).toMatchObject({ key: "m3", isLast: true, earlier: [{ id: "m2" }] });
});

it("hides messages that the running answer replaces", () => {
  const messages = [message(1), message(2), message(3, { turn: 1, role: "assistant" })];
  const rows = transcriptRows(messages, { ...defaults, replaced: { from: 2, to: 2 } });
  expect(shape(rows)).toEqual(["day", 1, 3]);
});

it("marks the end of the summary, except at the last message", () => {
  const messages = [1, 2, 3, 4].map((seq) => message(seq));
  expect(shape(transcriptRows(messages, { ...defaults, throughSeq: 2 }))).toEqual(["day", 1, 2, "summary-end", 3, 4]);
  expect(shape(transcriptRows(messages, { ...defaults, throughSeq: 4 }))).toEqual(["day", 1, 2, 3, 4]);
});

it("marks the end of the summary if its last message was deleted", () => {
  const messages = [message(1), message(4)];
  expect(shape(transcriptRows(messages, { ...defaults, throughSeq: 2 }))).toEqual(["day", 1, "summary-end", 4]);
});

import { expect, it } from "vitest";
import type { Message } from "../api/types";
import { rowsOf } from "./rows";

const nothing = { replaced: null, throughSeq: 0, isEnd: true };

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

const shape = (rows: ReturnType<typeof rowsOf>) =>
  rows.map((row) => (row.kind === "message" ? row.message.seq : row.kind));

it("begins each day with its date", () => {
  const messages = [message(1), message(2), message(3, { event_at: "2026-11-18T09:00:00Z" })];
  expect(shape(rowsOf(messages, nothing))).toEqual(["day", 1, 2, "day", 3]);
});

it("shows what stands, and keeps what it replaced beside it", () => {
  const superseded_at = "2026-11-16T09:01:00Z";
  const messages = [message(1), message(2, { superseded_at }), message(3, { turn: 1, role: "assistant" })];
  const [, , answer] = rowsOf(messages, nothing);
  expect(answer).toMatchObject({ key: "m3", isLast: true, earlier: [{ id: "m2" }] });
});

it("counts an answer as replaced from the new one's first word on", () => {
  const messages = [message(1), message(2), message(3, { turn: 1, role: "assistant" })];
  const rows = rowsOf(messages, { ...nothing, replaced: { from: 2, to: 2 } });
  expect(shape(rows)).toEqual(["day", 1, 3]);
});

it("marks where the summary ends, but not at the end of everything", () => {
  const messages = [1, 2, 3, 4].map((seq) => message(seq));
  expect(shape(rowsOf(messages, { ...nothing, throughSeq: 2 }))).toEqual(["day", 1, 2, "covered", 3, 4]);
  expect(shape(rowsOf(messages, { ...nothing, throughSeq: 4 }))).toEqual(["day", 1, 2, 3, 4]);
});

it("marks the end of the summary where its last message was deleted", () => {
  const messages = [message(1), message(4)];
  expect(shape(rowsOf(messages, { ...nothing, throughSeq: 2 }))).toEqual(["day", 1, "covered", 4]);
});

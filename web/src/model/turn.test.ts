import { expect, it } from "vitest";
import type { Message } from "../api/types";
import { groupByTurn } from "./turn";

const message = (seq: number, turn: number) => ({ id: `m${seq}`, seq, turn }) as Message;

it("reads from the oldest turn to the newest", () => {
  const turns = groupByTurn([message(5, 2), message(4, 2), message(3, 1), message(1, 0)]);
  expect(turns.map((turn) => [turn.number, turn.messages.map(({ seq }) => seq)])).toEqual([
    [0, [1]],
    [1, [3]],
    [2, [4, 5]],
  ]);
});

it("leaves out what something else stands in the place of", () => {
  const replaced = { ...message(2, 1), superseded_at: "2026-11-16T09:00:00Z" };
  const [turn] = groupByTurn([message(3, 1), replaced, message(1, 1)]);
  expect(turn?.messages.map(({ seq }) => seq)).toEqual([1, 3]);
});

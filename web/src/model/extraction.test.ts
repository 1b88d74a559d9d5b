import { expect, it } from "vitest";
import { ApiError } from "../api/error";
import type { Conversation, Memory } from "../api/types";
import { begin, cancelled, current, withFailure, withFound } from "./extraction";

const talk = (id: string) => ({ id }) as Conversation;
const memory = (id: string, content: string) => ({ id, content }) as Memory;

it("goes through all of them, whatever fails on the way", () => {
  const begun = begin([talk("a"), talk("b"), talk("c")]);
  expect(current(begun)?.id).toBe("a");
  const one = withFound(begun, [memory("m", "Lives in Lisbon")]);
  const two = withFailure(one, new ApiError(503, "No database."));
  expect(two.failures.map(({ conversation }) => conversation.id)).toEqual(["b"]);
  expect([two.read, two.isOver, current(two)?.id]).toEqual([2, false, "c"]);
  const over = withFound(two, []);
  expect([over.read, over.isOver, current(over)]).toEqual([3, true, null]);
});

it("shows what was changed twice as it is now", () => {
  const one = withFound(begin([talk("a"), talk("b")]), [memory("m", "old"), memory("n", "kept")]);
  const two = withFound(one, [memory("m", "new")]);
  expect(two.found.map(({ content }) => content)).toEqual(["kept", "new"]);
});

it("keeps what was read when it is cancelled", () => {
  const run = cancelled(withFound(begin([talk("a"), talk("b")]), [memory("m", "old")]));
  expect([run.isOver, run.read, run.found.length, current(run)]).toEqual([true, 1, 1, null]);
});

it("has nothing to do with an empty queue", () => {
  expect(begin([]).isOver).toBe(true);
});

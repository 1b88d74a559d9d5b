import { expect, it } from "vitest";
import { ApiError } from "../api/error";
import type { Conversation, Memory } from "../api/types";
import { addFailure, addFound, cancelExtraction, currentConversation, startExtraction } from "./extraction";

const conversation = (id: string) => ({ id }) as Conversation;
const memory = (id: string, content: string) => ({ id, content }) as Memory;

it("continues after a failure", () => {
  const started = startExtraction([conversation("a"), conversation("b"), conversation("c")]);
  expect(currentConversation(started)?.id).toBe("a");
  const one = addFound(started, [memory("m", "Lives in Lisbon")]);
  const two = addFailure(one, new ApiError(503, "No database."));
  expect(two.failures.map((failure) => failure.conversation.id)).toEqual(["b"]);
  expect([two.doneCount, two.isFinished, currentConversation(two)?.id]).toEqual([2, false, "c"]);
  const finished = addFound(two, []);
  expect([finished.doneCount, finished.isFinished, currentConversation(finished)]).toEqual([3, true, null]);
});

it("shows the latest state of a memory found twice", () => {
  const one = addFound(startExtraction([conversation("a"), conversation("b")]), [memory("m", "old"), memory("n", "kept")]);
  const two = addFound(one, [memory("m", "new")]);
  expect(two.found.map(({ content }) => content)).toEqual(["kept", "new"]);
});

it("keeps found memories when cancelled", () => {
  const run = cancelExtraction(addFound(startExtraction([conversation("a"), conversation("b")]), [memory("m", "old")]));
  expect([run.isFinished, run.doneCount, run.found.length, currentConversation(run)]).toEqual([true, 1, 1, null]);
});

it("is finished at once if the queue is empty", () => {
  expect(startExtraction([]).isFinished).toBe(true);
});

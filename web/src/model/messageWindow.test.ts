import { expect, it } from "vitest";
import type { Message, Page } from "../api/types";
import { windowAround, endWindow, replaceMessage, replaceFrom, prependOlder, removeMessage } from "./messageWindow";

const message = (seq: number) => ({ id: `m${seq}`, seq, content: "" }) as Message;
const page = (seqs: number[], next_cursor: string | null = null): Page<Message> => ({
  items: seqs.map(message),
  next_cursor,
});
const seqs = ({ messages }: { messages: readonly Message[] }) => messages.map(({ seq }) => seq);

it("opens at the end and grows to the beginning", () => {
  const end = endWindow(page([9, 8, 7], "more"));
  expect(seqs(end)).toEqual([7, 8, 9]);
  expect(end).toMatchObject({ hasOlder: true, hasNewer: false });
  const all = prependOlder(end, page([7, 6, 5]));
  expect(seqs(all)).toEqual([5, 6, 7, 8, 9]);
  expect(all.hasOlder).toBe(false);
});

it("opens in the middle and grows to the end", () => {
  const middle = windowAround(page([4, 3], "more"), page([5, 6], "more"));
  expect(seqs(middle)).toEqual([3, 4, 5, 6]);
  expect(middle).toMatchObject({ hasOlder: true, hasNewer: true });
  const rest = replaceFrom(middle, 7, page([7, 8]));
  expect(seqs(rest)).toEqual([3, 4, 5, 6, 7, 8]);
  expect(rest.hasNewer).toBe(false);
});

it("replaces the messages from a number on", () => {
  const end = endWindow(page([4, 3, 2, 1]));
  expect(seqs(replaceFrom(end, 3, page([4, 5])))).toEqual([1, 2, 4, 5]);
});

it("replaces one message", () => {
  const end = replaceMessage(endWindow(page([2, 1])), { ...message(2), is_pinned: true });
  expect(end.messages.map(({ is_pinned }) => is_pinned)).toEqual([undefined, true]);
});

it("removes one message", () => {
  expect(seqs(removeMessage(endWindow(page([3, 2, 1])), "m2"))).toEqual([1, 3]);
});

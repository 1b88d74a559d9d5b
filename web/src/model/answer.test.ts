import { expect, it } from "vitest";
import type { Message, StreamEvent } from "../api/types";
import { applyEvent, emptyAnswer, mergeAnswer, wasTruncated } from "./answer";

const reduce = (...events: object[]) =>
  (events as StreamEvent[]).reduce(applyEvent, emptyAnswer("m1"));

it("collects text, reasoning and tool calls with their offsets", () => {
  const answer = reduce(
    { type: "reasoning-delta", delta: "Hm" },
    { type: "reasoning-delta", delta: "m." },
    { type: "text-delta", delta: "Let me look. " },
    { type: "tool-input-available", toolCallId: "t1", toolName: "weather", input: { city: "Lisbon" } },
    { type: "tool-output-available", toolCallId: "t1", output: "mild" },
    { type: "text-delta", delta: "Mild." },
    { type: "finish" },
  );
  expect(answer).toMatchObject({
    thinking: "Hmm.",
    content: "Let me look. Mild.",
    status: "complete",
    tools: [{ tool_name: "weather", at: 13, output: "mild" }],
  });
});

it("ignores unknown events", () => {
  expect(reduce({ type: "start-step" })).toEqual(emptyAnswer("m1"));
});

it("starts over at a start event", () => {
  const start: StreamEvent = { type: "start", messageId: "m2", messageMetadata: { conversation_id: "c" } };
  expect(reduce({ type: "text-delta", delta: "old" }, start)).toEqual(emptyAnswer("m2"));
});

it("sets the final status", () => {
  expect(reduce({ type: "abort" }).status).toBe("interrupted");
  expect(reduce({ type: "error", errorText: "No model." })).toMatchObject({
    status: "error",
    error: "No model.",
  });
  const failed = reduce(
    { type: "tool-input-available", toolCallId: "t1", toolName: "weather", input: {} },
    { type: "tool-output-error", toolCallId: "t1", errorText: "Too slow." },
  );
  expect(failed.tools[0]).toMatchObject({ output: "Too slow.", is_error: true });
});

it("merges into the stored message and keeps its other fields", () => {
  const row = { id: "m1", seq: 2, content: "", metadata: { a: 1 }, is_pinned: true } as unknown as Message;
  const answer = reduce({ type: "text-delta", delta: "Hi" }, { type: "error", errorText: "Gone." });
  expect(mergeAnswer(row, answer)).toMatchObject({
    id: "m1",
    seq: 2,
    is_pinned: true,
    content: "Hi",
    status: "error",
    metadata: { a: 1, error: "Gone." },
  });
});

it("is truncated if the finish reason is the length", () => {
  const ended = (metadata: Message["metadata"]) => wasTruncated({ role: "assistant", metadata });
  expect(ended({ finish: "length" })).toBe(true);
  expect(ended({ finish: "content_filter" })).toBe(false);
  expect(ended({})).toBe(false);
  expect(wasTruncated({ role: "user", metadata: { finish: "length" } })).toBe(false);
});

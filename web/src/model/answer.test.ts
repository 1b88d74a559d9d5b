import { expect, it } from "vitest";
import type { Part } from "../api/stream";
import type { Message } from "../api/types";
import { applyPart, emptyAnswer, overlay, wasCutShort } from "./answer";

const heard = (...parts: Part[]) => parts.reduce(applyPart, emptyAnswer("m1"));

it("puts text, thoughts and tools together, each tool at its place", () => {
  const answer = heard(
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

it("begins anew when the stream does", () => {
  const start: Part = { type: "start", messageId: "m2", messageMetadata: { conversation_id: "c" } };
  expect(heard({ type: "text-delta", delta: "old" }, start)).toEqual(emptyAnswer("m2"));
});

it("tells how it ended", () => {
  expect(heard({ type: "abort" }).status).toBe("interrupted");
  expect(heard({ type: "error", errorText: "No model." })).toMatchObject({
    status: "error",
    error: "No model.",
  });
  const failed = heard({
    type: "tool-input-available",
    toolCallId: "t1",
    toolName: "weather",
    input: {},
  });
  expect(
    applyPart(failed, { type: "tool-output-error", toolCallId: "t1", errorText: "Too slow." }).tools[0],
  ).toMatchObject({ output: "Too slow.", is_error: true });
});

it("is laid over the stored row, and leaves the rest of it alone", () => {
  const row = { id: "m1", seq: 2, content: "", metadata: { a: 1 }, is_pinned: true } as unknown as Message;
  const answer = heard({ type: "text-delta", delta: "Hi" }, { type: "error", errorText: "Gone." });
  expect(overlay(row, answer)).toMatchObject({
    id: "m1",
    seq: 2,
    is_pinned: true,
    content: "Hi",
    status: "error",
    metadata: { a: 1, error: "Gone." },
  });
});

it("was cut short where the model says that its length was the reason", () => {
  const ended = (metadata: Message["metadata"]) => wasCutShort({ role: "assistant", metadata });
  expect(ended({ finish: "length" })).toBe(true);
  expect(ended({ finish: "content_filter" })).toBe(false);
  expect(ended({})).toBe(false);
  expect(wasCutShort({ role: "user", metadata: { finish: "length" } })).toBe(false);
});

// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ApiError } from "../../api/error";
import type { Chat } from "../../hooks/useChat";
import type { Failure } from "../../session/ChatSession";
import { AnswerAnnouncer } from "./AnswerAnnouncer";

const failure: Failure = { error: ApiError.unreachable(), retry: null };
const announcer = (isAnswering: boolean, failed: Failure | null) => {
  const activeAnswer = isAnswering ? { messageId: "m2", replaces: null, isReconnecting: false } : null;
  return <AnswerAnnouncer chat={{ activeAnswer, failure: failed, messages: [] } as unknown as Chat} />;
};
const announcement = () => screen.getByRole("status").textContent;

afterEach(cleanup);

it("announces the end of an answer", () => {
  const { rerender } = render(announcer(true, null));
  expect(announcement()).toBe("The answer is being written.");
  rerender(announcer(false, failure));
  expect(announcement()).toBe("The answer failed.");
});

it("does not report an unsent question as a failed answer", () => {
  const { rerender } = render(announcer(false, failure));
  rerender(announcer(true, failure));
  rerender(announcer(false, failure));
  expect(announcement()).toBe("The answer is complete.");
});

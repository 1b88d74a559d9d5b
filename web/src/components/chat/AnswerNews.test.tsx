// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ApiError } from "../../api/error";
import type { Chat } from "../../hooks/useChat";
import type { Failure } from "../../session/ChatSession";
import { AnswerNews } from "./AnswerNews";

const failure: Failure = { error: ApiError.unreachable(), retry: null };
const news = (isAnswering: boolean, failed: Failure | null) => {
  const answering = isAnswering ? { messageId: "m2", replaces: null, isLost: false } : null;
  return <AnswerNews chat={{ answering, failure: failed, messages: [] } as unknown as Chat} />;
};
const told = () => screen.getByRole("status").textContent;

afterEach(cleanup);

it("says how an answer ended", () => {
  const { rerender } = render(news(true, null));
  expect(told()).toBe("An answer is being written.");
  rerender(news(false, failure));
  expect(told()).toBe("There is no answer.");
});

it("takes a question that still waits to be sent for no answer that failed", () => {
  const { rerender } = render(news(false, failure));
  rerender(news(true, failure));
  rerender(news(false, failure));
  expect(told()).toBe("The answer is complete.");
});

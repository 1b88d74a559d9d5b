// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Message } from "../../api/types";
import { MessageItem } from "./MessageItem";
import type { MessageCommands } from "./useMessageCommands";

const question = {
  id: "m1",
  seq: 1,
  role: "user",
  status: "complete",
  content: "Where to?",
  event_at: "2026-11-16T09:00:00Z",
  metadata: {},
} as unknown as Message;
const edit = vi.fn();
const commands = { edit } as unknown as MessageCommands;

const editing = (isBusy: boolean) => (
  <MessageItem
    message={question}
    isLast={false}
    hasEarlier={false}
    isHighlighted={false}
    isEditing
    isBusy={isBusy}
    commands={commands}
  />
);

afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

describe("MessageItem", () => {
  it("does not send an edit while busy", () => {
    const { rerender } = render(editing(false));
    const field = screen.getByRole<HTMLTextAreaElement>("textbox");
    const button = screen.getByRole<HTMLButtonElement>("button", { name: "Send" });
    fireEvent.change(field, { target: { value: "Where to in May?" } });

    rerender(editing(true));
    expect(button.disabled).toBe(true);
    fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
    fireEvent.submit(field);
    expect(edit).not.toHaveBeenCalled();
    expect(field.value).toBe("Where to in May?");

    rerender(editing(false));
    fireEvent.click(button);
    expect(edit).toHaveBeenCalledExactlyOnceWith(question, "Where to in May?");
  });
});

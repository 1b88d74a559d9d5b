// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Message } from "../../api/types";
import type { Passage } from "../../model/passages";
import { MessageBody, MessageItem } from "./MessageItem";
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
    passage={null}
    onPassageShown={null}
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

describe("MessageBody", () => {
  const answer = {
    role: "assistant",
    status: "complete",
    content: "🚋 I will look. The tram **28** goes to Graça.",
    tool_calls: [{ tool_name: "timetable", input: {}, output: "every 12\nminutes", at: 15 }],
    metadata: {},
  } as unknown as Message;
  const show = (message: Message, passage: Passage) => {
    const { container } = render(<MessageBody message={message} passage={passage} />);
    const marks = [...container.querySelectorAll("mark.passage")].map((mark) => mark.textContent);
    return { marks, isOpen: container.querySelector("details")?.open };
  };

  const passageOf = (searched: string, part: string): Passage => {
    const start = [...searched.slice(0, searched.indexOf(part))].length;
    return { start, end: start + [...part].length };
  };

  it("marks a passage of its text", () => {
    const part = "look. The tram **28** goes";
    expect(show(answer, passageOf(answer.content, part))).toEqual({
      marks: ["look.", "The tram ", "28", " goes"],
      isOpen: false,
    });
    const asked = { ...question, tool_calls: null };
    expect(show(asked, passageOf(asked.content, "to?")).marks).toEqual(["to?"]);
  });

  it("opens the tool call of a passage in its result", () => {
    const searched = `${answer.content}\n\ntimetable: every 12\nminutes`;
    expect(show(answer, passageOf(searched, "12\nminutes"))).toEqual({
      marks: ["12\\nminutes"],
      isOpen: true,
    });
    const times = { ...answer, tool_calls: [{ tool_name: "timetable", output: [12, 24] }] } as Message;
    expect(show(times, passageOf(`${answer.content}\n\ntimetable: [12, 24]`, "[12, 24]"))).toEqual({
      marks: [expect.stringContaining("24")],
      isOpen: true,
    });
  });
});

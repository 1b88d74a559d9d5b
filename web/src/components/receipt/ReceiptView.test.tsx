// @vitest-environment happy-dom
import { cleanup, render, renderHook, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../api/error";
import { getMessage } from "../../api/messages";
import type { Message, Receipt, ReceiptItem } from "../../api/types";
import { presentReasons } from "../../model/oldReasons";
import { ReceiptView } from "./ReceiptView";
import { useReceiptTexts } from "./texts";

vi.mock("../../api/messages");

const answer = {
  id: "answer",
  conversation_id: "here",
  seq: 40,
  created_at: "2026-11-16T09:00:00Z",
} as Message;

function passage(seq: number, changes: Partial<ReceiptItem>): ReceiptItem {
  return {
    section: "retrieved",
    source: `message ${seq} (user)`,
    tokens: 90,
    outcome: "included",
    reason: "Relevant to the current message.",
    message_id: `m${seq}`,
    first_seq: seq,
    last_seq: seq,
    conversation_id: "here",
    start: 3,
    end: 16,
    title: null,
    ...changes,
  };
}

const receipt: Receipt = {
  budget: 2_000,
  tokens: 1_400,
  memory_tokens: 1_100,
  mode: "compressed",
  policy: "chunked",
  summary_version: 1,
  full_history_tokens: 9_000,
  items: [
    passage(7, {}),
    passage(12, { conversation_id: "there", title: "Rome", reason: "Relevant to the current message, from another conversation." }),
    passage(13, { conversation_id: "there" }),
    passage(20, { outcome: "dropped", reason: "Over budget." }),
    passage(22, { outcome: "dropped", reason: "Over budget." }),
  ],
  sections: [
    { section: "summary", share: 200, tokens: 80, flowed: -120 },
    { section: "tail", share: 400, tokens: 820, flowed: 420 },
    { section: "retrieved", share: 1_100, tokens: 270, flowed: -830 },
  ],
  layout: "cache",
  prefix: [],
  unchanged_tokens: 1_050,
  cached_tokens: 1_024,
};

const message = (id: string): Message => ({
  ...answer,
  id,
  event_at: "2026-03-12T12:00:00Z",
  content: "On the third I went to Sintra.",
  tool_calls: null,
  metadata: id === "m7" ? { speaker: "Ada" } : {},
});

beforeEach(() => {
  vi.mocked(getMessage).mockImplementation(async (_, id) => {
    if (id === "m13") throw new ApiError(404, "Not found.");
    return message(id);
  });
});

afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

describe("ReceiptView", () => {
  it("shows each section with its share and what flowed, as a table", () => {
    render(<ReceiptView receipt={receipt} answer={answer} />);
    const rows = within(screen.getByRole("table")).getAllByRole("row");
    const cells = rows.map((row) => [...row.children].map((cell) => cell.textContent).filter(Boolean));
    expect(cells).toEqual([
      ["Section", "Share", "From or to other sections", "Tokens"],
      ["Summary", "share 200", "120 left to others", "80"],
      ["Recent messages", "share 400", "+420 from others", "820"],
      ["Retrieved passages", "share 1,100", "830 left to others", "270"],
      ["Free", "900"],
    ]);
    expect(screen.getByText(/1,050 of 1,400 tokens unchanged since the last answer\./).textContent).toContain(
      "The provider read 1,024 tokens from its cache.",
    );
  });

  it("shows a receipt without shares", () => {
    render(<ReceiptView receipt={{ ...receipt, sections: [], unchanged_tokens: 0, cached_tokens: null }} answer={answer} />);
    const table = screen.getByRole("table");
    expect(within(table).getByRole("row", { name: /Retrieved passages/ }).textContent).toBe("Retrieved passages270");
    expect(table.querySelector(".share-mark")).toBeNull();
    expect(screen.queryByText(/unchanged/)).toBeNull();
  });

  it("links passages to their places", async () => {
    render(<ReceiptView receipt={receipt} answer={answer} />);
    const item = (link: HTMLElement) => link.closest("li")?.textContent;
    const own = screen.getByRole("link", { name: "Message 7" });
    await waitFor(() => expect(item(own)).toContain("Ada, 12 Mar 2026"));
    expect(item(own)).toContain("the third I w");
    expect(own.getAttribute("href")).toBe("/c/here?m=m7&p=3-16&panel=seen");
    const elsewhere = screen.getByRole("link", { name: "“Rome”, message 12" });
    expect(elsewhere.getAttribute("href")).toBe("/c/there?m=m12&p=3-16");
    expect(item(elsewhere)).toContain("you, 12 Mar 2026");
  });

  it("notes a deleted message, and loads passages that were left out on demand", async () => {
    render(<ReceiptView receipt={receipt} answer={answer} />);
    const note = await screen.findByText("The message has been deleted since.");
    expect(within(note.closest("li")!).queryByRole("link")).toBeNull();
    expect(note.closest("li")!.textContent).toContain("“Untitled conversation”, message 13");
    expect(screen.getByText("2 passages")).toBeDefined();
    expect(vi.mocked(getMessage).mock.calls.map(([, id]) => id)).toEqual(["m7", "m12", "m13"]);
  });
});

it("translates the present wording of old reasons", () => {
  const { reasons } = renderHook(() => useReceiptTexts()).result.current;
  for (const reason of Object.values(presentReasons)) expect(reasons).toHaveProperty([reason]);
});

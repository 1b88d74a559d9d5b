// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useAskOptions } from "../../hooks/useAskOptions";
import { useChat, type Chat } from "../../hooks/useChat";
import { NavigationContext } from "../../hooks/useRoute";
import { Composer } from "./Composer";

let chat: Chat;
let sent: string[];

function Page() {
  chat = useChat();
  const settings = useAskOptions(chat.conversationId);
  return <Composer chat={chat} settings={settings} onStop={() => undefined} onCreated={() => undefined} />;
}

const field = () => screen.getByRole<HTMLTextAreaElement>("textbox");
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const click = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const editAgain = "Edit the message";

beforeEach(() => {
  sent = [];
  vi.stubGlobal("BroadcastChannel", undefined);
  vi.stubGlobal("fetch", async (path: string, { body }: RequestInit) => {
    if (path === "/api/models") return Response.json({ items: [] });
    sent.push((JSON.parse(String(body)) as { message: string }).message);
    return Response.json({ detail: "Later." }, { status: 503 });
  });
  const navigation = { route: { page: "unknown" } as const, visit: 0, navigate: () => undefined };
  render(
    <NavigationContext value={navigation}>
      <Page />
    </NavigationContext>,
  );
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

async function fail(text: string): Promise<void> {
  type(text);
  click("Send");
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("Later."));
  expect(field().value).toBe("");
}

describe("Composer", () => {
  it("restores an unsent question above the new text", async () => {
    await fail("Where to?");
    type("By train?");
    click(editAgain);
    expect(field().value).toBe("Where to?\n\nBy train?");
    expect(chat).toMatchObject({ pending: null, failure: null });
  });

  it("restores an unsent edit", async () => {
    await act(() => chat.edit("m1", "Where to in May?"));
    click(editAgain);
    expect(field().value).toBe("Where to in May?");
  });

  it("keeps the field if the failed request had no text", async () => {
    type("By train?");
    await act(() => chat.regenerate("m2"));
    click(editAgain);
    expect(field().value).toBe("By train?");
    expect(chat.failure).toBeNull();
  });

  it("sends nothing while a question is unsent", async () => {
    await fail("Where to?");
    type("By train?");
    click("Send");
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(sent).toEqual(["Where to?"]);
    expect(field().value).toBe("By train?");
    expect(chat.pending?.text).toBe("Where to?");

    click("Retry");
    await waitFor(() => expect(sent).toEqual(["Where to?", "Where to?"]));
  });
});

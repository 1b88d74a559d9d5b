// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useAskOptions } from "../../hooks/useAskOptions";
import { useChat, type Chat } from "../../hooks/useChat";
import { NavigationContext } from "../../hooks/useRoute";
import { Composer } from "./Composer";

let chat: Chat;
let asked: string[];

function Page() {
  chat = useChat();
  const choices = useAskOptions(chat.conversationId);
  return <Composer chat={chat} choices={choices} onStop={() => undefined} onBegun={() => undefined} />;
}

const field = () => screen.getByRole<HTMLTextAreaElement>("textbox");
const write = (text: string) => fireEvent.change(field(), { target: { value: text } });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const takeBack = "Take it back into the field";

beforeEach(() => {
  asked = [];
  vi.stubGlobal("BroadcastChannel", undefined);
  vi.stubGlobal("fetch", async (path: string, { body }: RequestInit) => {
    if (path === "/api/models") return Response.json({ items: [] });
    asked.push((JSON.parse(String(body)) as { message: string }).message);
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
  write(text);
  press("Send");
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("Later."));
  expect(field().value).toBe("");
}

describe("Composer", () => {
  it("takes a question that did not arrive back, before what was typed since", async () => {
    await fail("Where to?");
    write("By train?");
    press(takeBack);
    expect(field().value).toBe("Where to?\n\nBy train?");
    expect(chat).toMatchObject({ pending: null, failure: null });
  });

  it("takes an edit that did not arrive back too", async () => {
    await act(() => chat.edit("m1", "Where to in May?"));
    press(takeBack);
    expect(field().value).toBe("Where to in May?");
  });

  it("leaves the field alone where nothing was asked in words", async () => {
    write("By train?");
    await act(() => chat.regenerate("m2"));
    press(takeBack);
    expect(field().value).toBe("By train?");
    expect(chat.failure).toBeNull();
  });

  it("sends nothing over a question that did not arrive", async () => {
    await fail("Where to?");
    write("By train?");
    press("Send");
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(asked).toEqual(["Where to?"]);
    expect(field().value).toBe("By train?");
    expect(chat.pending?.text).toBe("Where to?");

    press("Retry");
    await waitFor(() => expect(asked).toEqual(["Where to?", "Where to?"]));
  });
});

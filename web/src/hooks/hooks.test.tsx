// @vitest-environment happy-dom
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Conversation, Memory, Message } from "../api/types";
import { useChat } from "./useChat";
import { useConversations } from "./useConversations";
import { useMemories } from "./useMemories";

type Handler = (url: URL, init: RequestInit) => unknown;

let requests: string[];

/** Fakes the server: the handler with the longest matching `METHOD /path` prefix responds. */
function serve(handlers: Record<string, Handler>): void {
  requests = [];
  vi.stubGlobal("fetch", async (input: string, init: RequestInit) => {
    const url = new URL(input, "http://localhost");
    const call = `${init.method} ${url.pathname}`;
    requests.push(call + url.search);
    const name = Object.keys(handlers)
      .filter((prefix) => call.startsWith(prefix))
      .sort((a, b) => b.length - a.length)[0];
    if (name === undefined) throw new Error(`No handler for ${call}`);
    const response = handlers[name]?.(url, init);
    return response instanceof Response ? response : Response.json(response);
  });
}

const conversation = (id: string, title: string) =>
  ({ id, title, last_activity_at: "2026-11-16T09:00:00Z" }) as Conversation;
const page = <T,>(...items: T[]) => ({ items, next_cursor: null });
const bodyOf = (init: RequestInit) => JSON.parse(String(init.body)) as Record<string, unknown>;

beforeEach(() => {
  vi.stubGlobal("BroadcastChannel", undefined);
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("useConversations", () => {
  it("lists matches and reloads after each change", async () => {
    let rows = [conversation("c1", "Lisbon")];
    serve({
      "GET /api/conversations": () => page(...rows),
      "POST /api/conversations": (_, init) => {
        const created = conversation("c2", String(bodyOf(init)["title"]));
        rows = [created, ...rows];
        return created;
      },
      "PATCH /api/conversations/c1": (_, init) => {
        rows = rows.map((row) => (row.id === "c1" ? { ...row, ...bodyOf(init) } : row));
        return rows.find(({ id }) => id === "c1");
      },
      "DELETE /api/conversations/c1": () => {
        rows = rows.filter(({ id }) => id !== "c1");
        return { deleted: { messages: 4 } };
      },
    });
    const { result } = renderHook(() => useConversations("lis", false));
    const titles = () => result.current.listing.items.map(({ title }) => title);
    await waitFor(() => expect(titles()).toEqual(["Lisbon"]));
    expect(requests[0]).toBe("GET /api/conversations?q=lis&archived=false&limit=30");

    await act(() => result.current.createNewConversation({ title: "Rome" }));
    await waitFor(() => expect(titles()).toEqual(["Rome", "Lisbon"]));
    await act(() => result.current.updateConversationTitle("c1", "A week in Lisbon"));
    await waitFor(() => expect(titles()).toEqual(["Rome", "A week in Lisbon"]));
    await act(async () => {
      expect(await result.current.deleteConversation("c1")).toEqual({ messages: 4 });
    });
    await waitFor(() => expect(titles()).toEqual(["Rome"]));
  });

  it("returns the error and retries", async () => {
    let isUp = false;
    serve({
      "GET /api/conversations": () =>
        isUp ? page(conversation("c1", "Lisbon")) : Response.json({ detail: "Later." }, { status: 503 }),
    });
    const { result } = renderHook(() => useConversations(""));
    await waitFor(() => expect(result.current.error?.message).toBe("Later."));
    isUp = true;
    act(() => result.current.retry());
    await waitFor(() => expect(result.current.listing.items).toHaveLength(1));
    expect(result.current.error).toBeNull();
  });
});

describe("useMemories", () => {
  const filter = { type: "fact", category: "", q: "", pinned: null, archived: false, superseded: false } as const;

  it("filters, updates and extracts", async () => {
    let rows = [{ id: "k1", content: "Is vegetarian", created_at: "2026-11-16T09:00:00Z" } as Memory];
    serve({
      "GET /api/memories": () => page(...rows),
      "PATCH /api/memories/k1": (_, init) => {
        rows = [{ ...rows[0], ...bodyOf(init) } as Memory];
        return rows[0];
      },
      "POST /api/memories/extract": () => {
        const found = { id: "k2", content: "Lives in Turin", created_at: "2026-11-16T10:00:00Z" } as Memory;
        rows = [found, ...rows];
        return { items: [found] };
      },
    });
    const { result } = renderHook(() => useMemories(filter));
    const contents = () => result.current.listing.items.map(({ content }) => content);
    await waitFor(() => expect(contents()).toEqual(["Is vegetarian"]));
    expect(requests[0]).toContain("type=fact");

    await act(() => result.current.updateMemory("k1", { content: "Is vegan" }));
    await waitFor(() => expect(contents()).toEqual(["Is vegan"]));
    await act(async () => {
      expect(await result.current.extractMemories("c1")).toHaveLength(1);
    });
    await waitFor(() => expect(contents()).toEqual(["Lives in Turin", "Is vegan"]));
  });
});

describe("useChat", () => {
  const message = { id: "m1", seq: 1, turn: 1, role: "user", content: "Where to?", superseded_at: null };

  it("has the state and actions of an open conversation", async () => {
    serve({
      "GET /api/conversations/c1/messages": () => page(message as Message),
      "GET /api/conversations/c1": () => conversation("c1", "Lisbon"),
      "PATCH /api/conversations/c1": (_, init) => conversation("c1", String(bodyOf(init)["title"])),
    });
    const { result } = renderHook(() => useChat());
    expect(result.current).toMatchObject({ conversationId: null, title: "", messages: [] });

    let loading: Promise<void> | undefined;
    act(() => {
      loading = result.current.loadConversation("c1");
    });
    expect(result.current.isLoading).toBe(true);
    await act(() => loading as Promise<void>);
    expect(result.current).toMatchObject({
      conversationId: "c1",
      title: "Lisbon",
      isLoading: false,
      messages: [{ content: "Where to?" }],
    });
    await act(() => result.current.updateConversationTitle("A week in Lisbon"));
    expect(result.current.title).toBe("A week in Lisbon");
    act(() => result.current.createNewConversation());
    expect(result.current).toMatchObject({ conversationId: null, title: "", messages: [] });
  });
});

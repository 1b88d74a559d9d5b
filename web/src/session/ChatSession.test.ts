import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Conversation, Message } from "../api/types";
import { ChatSession } from "./ChatSession";

/** Fakes a server with one conversation and streams that the test controls. */
class FakeServer {
  rows: Message[] = [];
  requests: { method: string; path: string; headers: Headers; body: unknown }[] = [];
  streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  /** One-time responses for requests whose path contains `path`. */
  overrides: { path: string; answer: () => Promise<Response> }[] = [];

  addRow(content: string, fields: Partial<Message> = {}): Message {
    const seq = (this.rows.at(-1)?.seq ?? 0) + 1;
    const row = {
      id: `m${seq}`,
      conversation_id: "c1",
      seq,
      turn: Math.ceil(seq / 2),
      role: seq % 2 === 1 ? "user" : "assistant",
      content,
      thinking: null,
      tool_calls: null,
      status: "complete",
      metadata: {},
      superseded_at: null,
      ...fields,
    } as unknown as Message;
    this.rows.push(row);
    return row;
  }

  send(index: number, eventId: string, event: object): void {
    const text = `id: ${eventId}\ndata: ${JSON.stringify(event)}\n\n`;
    this.streams[index]?.enqueue(new TextEncoder().encode(text));
  }

  fetch = async (input: string, init: RequestInit): Promise<Response> => {
    const url = new URL(input, "http://localhost");
    const method = init.method ?? "GET";
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : null;
    this.requests.push({ method, path: url.pathname, headers: new Headers(init.headers), body });
    const override = this.overrides.findIndex(({ path }) => url.pathname.includes(path));
    if (override >= 0) return this.overrides.splice(override, 1)[0]!.answer();
    if (url.pathname.startsWith("/api/chat") && !url.pathname.endsWith("/stop")) return this.stream();
    if (url.pathname.endsWith("/stop")) return new Response(null, { status: 204 });
    if (url.pathname.endsWith("/messages")) return Response.json(this.page(url.searchParams));
    return Response.json({ id: "c1", title: "Lisbon" } as Conversation);
  };

  private stream(): Response {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void this.streams.push(controller) });
    return new Response(body);
  }

  private page(query: URLSearchParams) {
    const limit = Number(query.get("limit"));
    const from = Number(query.get("from_seq") ?? (query.get("order") === "desc" ? Infinity : 0));
    const matching =
      query.get("order") === "desc"
        ? this.rows.filter(({ seq }) => seq <= from).reverse()
        : this.rows.filter(({ seq }) => seq >= from);
    return {
      items: matching.slice(0, limit),
      next_cursor: matching.length > limit ? "more" : null,
    };
  }
}

const start = { type: "start", messageId: "m2", messageMetadata: { conversation_id: "c1" } };
let server: FakeServer;
let session: ChatSession;

beforeEach(() => {
  server = new FakeServer();
  vi.stubGlobal("fetch", server.fetch);
  session = new ChatSession();
});

afterEach(() => {
  session.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const until = (condition: () => void) => vi.waitFor(condition, { timeout: 3_000, interval: 5 });
const texts = () => session.getState().messages.map(({ content }) => content);

async function ask(): Promise<{ asked: Promise<void> }> {
  const asked = session.send("Where to?");
  await until(() => expect(server.streams).toHaveLength(1));
  server.addRow("Where to?");
  server.addRow("", { status: "streaming" });
  server.send(0, "m2:0", start);
  await until(() => expect(session.getState().pending).toBeNull());
  return { asked };
}

/** Opens a conversation where the next question is refused, because another client just asked. */
async function openWithOtherClient(): Promise<void> {
  server.addRow("Where to?");
  server.addRow("To Lisbon.");
  await session.open("c1");
  server.overrides.push({
    path: "/api/chat",
    answer: async () => {
      server.addRow("And when?");
      server.addRow("", { status: "streaming" });
      return Response.json({ detail: "Too many are waiting." }, { status: 503 });
    },
  });
}

describe("asking", () => {
  it("shows the question at once, then the streaming answer, then the stored one", async () => {
    const asked = session.send("Where to?", { mode: "full" });
    expect(session.getState().pending).toEqual({ text: "Where to?", edits: null });
    await until(() => expect(server.streams).toHaveLength(1));
    expect(server.requests[0]).toMatchObject({
      path: "/api/chat",
      body: { message: "Where to?", mode: "full" },
    });

    server.addRow("Where to?");
    const row = server.addRow("", { status: "streaming" });
    server.send(0, "m2:0", start);
    await until(() => expect(texts()).toEqual(["Where to?", ""]));
    expect(session.getState()).toMatchObject({ conversationId: "c1", pending: null });

    server.send(0, "m2:1", { type: "text-delta", delta: "To Lis" });
    await until(() => expect(texts()[1]).toBe("To Lis"));
    expect(session.getState().messages[1]?.status).toBe("streaming");
    Object.assign(row, { content: "To Lisbon.", status: "complete" });
    server.send(0, "m2:2", { type: "text-delta", delta: "bon." });
    server.send(0, "m2:3", { type: "finish" });
    await asked;
    expect(session.getState()).toMatchObject({ activeAnswer: null, conversation: { title: "Lisbon" } });
    expect(session.getState().messages[1]).toMatchObject({ content: "To Lisbon.", status: "complete" });
  });

  it("keeps a question that failed to send and retries it with the same key", async () => {
    server.overrides.push({ path: "/api/chat", answer: () => Promise.reject(new TypeError("down")) });
    await session.send("Where to?");
    const { failure, pending, activeAnswer } = session.getState();
    expect(pending?.text).toBe("Where to?");
    expect(activeAnswer).toBeNull();
    expect(failure?.error.status).toBe(0);

    failure?.retry?.();
    await until(() => expect(server.streams).toHaveLength(1));
    const keys = server.requests.map(({ headers }) => headers.get("Idempotency-Key"));
    expect(keys[0]).toBeTruthy();
    expect(keys[0]).toBe(keys[1]);
  });

  it("keeps an unsent question while it follows another client's answer", async () => {
    await openWithOtherClient();
    await session.send("By train?");
    const unsent = { pending: { text: "By train?" }, failure: { error: { status: 503 } } };
    await until(() => expect(server.streams).toHaveLength(1));
    expect(session.getState()).toMatchObject(unsent);

    server.send(0, "m4:0", { ...start, messageId: "m4" });
    server.send(0, "m4:3", { type: "text-delta", delta: "In May." });
    await until(() => expect(texts()[3]).toBe("In May."));
    expect(session.getState()).toMatchObject(unsent);
    Object.assign(server.rows[3] as Message, { content: "In May.", status: "complete" });
    server.send(0, "m4:3", { type: "finish" });
    await until(() => expect(session.getState().activeAnswer).toBeNull());
    expect(session.getState()).toMatchObject(unsent);

    session.getState().failure?.retry?.();
    await until(() => expect(server.streams).toHaveLength(2));
    expect(server.requests.at(-1)).toMatchObject({ path: "/api/chat", body: { message: "By train?" } });
  });

  it("keeps the retry when that answer cannot be followed", async () => {
    await openWithOtherClient();
    server.overrides.push({
      path: "/api/chat/m4/stream",
      answer: async () => {
        Object.assign(server.rows[3] as Message, { content: "In May.", status: "complete" });
        return Response.json({ detail: "Gone." }, { status: 404 });
      },
    });
    await session.send("By train?");
    await until(() => expect(texts()[3]).toBe("In May."));
    const { pending, failure } = session.getState();
    expect(pending?.text).toBe("By train?");
    expect(failure).toMatchObject({ error: { status: 503 }, retry: expect.any(Function) });
  });

  it("follows the answer if only the response to the question was lost", async () => {
    server.addRow("Where to?");
    server.addRow("To Lisbon.");
    await session.open("c1");
    server.overrides.push({
      path: "/api/chat",
      answer: () => {
        server.addRow("By train?");
        server.addRow("", { status: "streaming" });
        return Promise.reject(new TypeError("down"));
      },
    });
    await session.send("By train?");
    await until(() => expect(server.streams).toHaveLength(1));
    expect(session.getState()).toMatchObject({ pending: null, failure: null });
    expect(texts().slice(2)).toEqual(["By train?", ""]);
  });

  it("shows a stored question once if loading it failed at first", async () => {
    server.addRow("Where to?");
    server.addRow("To Lisbon.");
    await session.open("c1");
    void session.send("By train?");
    await until(() => expect(server.streams).toHaveLength(1));
    server.addRow(" By train?"); // differs from the sent text
    server.addRow("", { status: "streaming" });
    server.overrides.push({ path: "/messages", answer: () => Promise.reject(new TypeError("down")) });
    server.send(0, "m4:0", { ...start, messageId: "m4" });
    await until(() => expect(server.streams).toHaveLength(2));
    expect(session.getState()).toMatchObject({ pending: null, failure: null });
    expect(texts().slice(2)).toEqual([" By train?", ""]);
  });

  it("resumes after the last event when the connection breaks", async () => {
    const { asked } = await ask();
    server.send(0, "m2:6", { type: "text-delta", delta: "To Lis" });
    await until(() => expect(texts()[1]).toBe("To Lis"));
    server.overrides.push({ path: "/stream", answer: () => Promise.reject(new TypeError("down")) });
    server.streams[0]?.error(new TypeError("network"));
    await until(() => expect(session.getState().activeAnswer?.isReconnecting).toBe(true));
    await until(() => expect(server.streams).toHaveLength(2));
    const resumed = server.requests.filter(({ path }) => path === "/api/chat/m2/stream");
    expect(resumed.map(({ headers }) => headers.get("Last-Event-ID"))).toEqual(["m2:6", "m2:6"]);

    server.send(1, "m2:9", { type: "text-delta", delta: "bon." });
    await until(() => expect(texts()[1]).toBe("To Lisbon."));
    expect(session.getState().activeAnswer?.isReconnecting).toBe(false);
    server.send(1, "m2:9", { type: "finish" });
    await asked;
    expect(session.getState().activeAnswer).toBeNull();
  });

  it("resumes after the last event when the connection goes silent", async () => {
    vi.useFakeTimers();
    const { asked } = await ask();
    server.send(0, "m2:6", { type: "text-delta", delta: "To Lis" });
    await until(() => expect(texts()[1]).toBe("To Lis"));
    await vi.advanceTimersByTimeAsync(45_000);
    await until(() => expect(server.streams).toHaveLength(2));
    expect(server.requests.at(-1)?.headers.get("Last-Event-ID")).toBe("m2:6");

    server.send(1, "m2:9", { type: "text-delta", delta: "bon." });
    await until(() => expect(texts()[1]).toBe("To Lisbon."));
    server.send(1, "m2:9", { type: "finish" });
    await asked;
    expect(session.getState().activeAnswer).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not ask in a conversation that is opened meanwhile", async () => {
    for (let seq = 1; seq <= 100; seq += 1) server.addRow(`Number ${seq}`);
    await session.open("c1", "10");
    const asked = session.send("Where to?");
    expect(session.getState().pending?.text).toBe("Where to?");
    const opened = session.open("c2");
    await Promise.all([asked, opened]);
    expect(server.requests.some(({ path }) => path === "/api/chat")).toBe(false);
    expect(session.getState()).toMatchObject({ conversationId: "c2", pending: null });
  });

  it("shows the stored answer when it cannot be followed", async () => {
    const { asked } = await ask();
    server.send(0, "m2:6", { type: "text-delta", delta: "To Lis" });
    await until(() => expect(texts()[1]).toBe("To Lis"));
    Object.assign(server.rows[1] as Message, { content: "To Lisbon.", status: "complete" });
    server.overrides.push({
      path: "/stream",
      answer: async () => Response.json({ detail: "Gone." }, { status: 404 }),
    });
    server.streams[0]?.error(new TypeError("network"));
    await asked;
    await until(() => expect(texts()[1]).toBe("To Lisbon."));
    expect(session.getState().activeAnswer).toBeNull();
  });

  it("reports an error at the start of the stream", async () => {
    const asked = session.send("Where to?");
    await until(() => expect(server.streams).toHaveLength(1));
    server.send(0, "", { type: "error", errorText: "No model." });
    await asked;
    expect(session.getState()).toMatchObject({
      pending: { text: "Where to?" },
      failure: { error: { message: "No model." } },
    });
  });

  it("stops an answer as soon as it starts", async () => {
    void session.send("Where to?");
    await session.stop();
    await until(() => expect(server.streams).toHaveLength(1));
    expect(server.requests.some(({ path }) => path.endsWith("/stop"))).toBe(false);
    server.send(0, "m2:0", start);
    await until(() =>
      expect(server.requests.some(({ path }) => path === "/api/chat/m2/stop")).toBe(true),
    );
  });
});

describe("opening", () => {
  it("follows a running answer", async () => {
    server.addRow("Where to?");
    server.addRow("To", { status: "streaming" });
    await session.open("c1");
    await until(() => expect(server.streams).toHaveLength(1));
    server.send(0, "m2:0", start);
    server.send(0, "m2:9", { type: "text-delta", delta: "To Lisbon" });
    await until(() => expect(texts()[1]).toBe("To Lisbon"));
  });

  it("retries to follow an answer only on refresh", async () => {
    server.addRow("Where to?");
    server.addRow("", { status: "streaming" });
    const refuse = () => Promise.resolve(new Response(null, { status: 503 }));
    server.overrides = Array.from({ length: 9 }, () => ({ path: "/stream", answer: refuse }));
    const attempts = () => server.requests.filter(({ path }) => path.endsWith("/stream")).length;
    await session.open("c1");
    await until(() => expect(session.getState().failure).not.toBeNull());
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(attempts()).toBe(1);
    await session.refresh();
    await until(() => expect(attempts()).toBe(2));
  });

  it("loads a long history page by page and jumps into its middle", async () => {
    for (let seq = 1; seq <= 400; seq += 1) server.addRow(`Number ${seq}`);
    await session.open("c1");
    expect(texts()).toHaveLength(50);
    await session.loadOlder();
    expect(texts()).toHaveLength(100);
    expect(texts()[0]).toBe("Number 301");

    await session.show("37");
    expect(texts()).toContain("Number 37");
    expect(session.getState()).toMatchObject({ hasOlder: true, hasNewer: true });
    await session.loadNewer();
    expect(texts().at(-1)).toBe("Number 111");
    await session.showLatest();
    expect(texts().at(-1)).toBe("Number 400");
  });

  it("ignores late responses of the previous conversation", async () => {
    server.addRow("Where to?");
    let answerLate: (response: Response) => void = () => undefined;
    const late = new Promise<Response>((resolve) => (answerLate = resolve));
    server.overrides.push({ path: "/api/conversations/other/messages", answer: () => late });
    const opening = session.open("other");
    await session.open("c1");
    answerLate(Response.json({ items: [server.addRow("Elsewhere")], next_cursor: null }));
    await opening;
    expect(texts()).toEqual(["Where to?"]);
    expect(session.getState().conversationId).toBe("c1");
  });

  it("reports why it failed", async () => {
    const problem = { detail: "No such conversation.", status: 404 };
    server.overrides.push({ path: "/api/conversations/c9", answer: async () => Response.json(problem, { status: 404 }) });
    await session.open("c9");
    expect(session.getState()).toMatchObject({ loading: null, loadFailure: { error: { status: 404 }, retry: null } });
  });

  it("opens at the end if the requested message does not exist", async () => {
    server.addRow("Where to?");
    server.overrides.push({
      path: "/messages/m9",
      answer: async () => Response.json({ detail: "No such message." }, { status: 404 }),
    });
    await session.open("c1", "m9");
    expect(session.getState()).toMatchObject({ isAnchorMissing: true, loadFailure: null });
    expect(texts()).toEqual(["Where to?"]);
  });

  it("does not overwrite newer messages with a late page", async () => {
    server.addRow("Where to?");
    await session.open("c1");
    let answerLate: (response: Response) => void = () => undefined;
    const late = new Promise<Response>((resolve) => (answerLate = resolve));
    const old = server.rows.slice();
    server.overrides.push({ path: "/messages", answer: () => late });
    const first = session.refresh();
    server.addRow("To Lisbon.");
    const second = session.refresh();
    answerLate(Response.json({ items: old, next_cursor: null }));
    await Promise.all([first, second]);
    expect(texts()).toEqual(["Where to?", "To Lisbon."]);
  });

  it("retries a failed load on refresh", async () => {
    for (let seq = 1; seq <= 250; seq += 1) server.addRow(`Number ${seq}`);
    const down = () => Promise.reject(new TypeError("down"));
    server.overrides.push({ path: "/conversations/c1", answer: down });
    server.overrides.push({ path: "/conversations/c1/messages", answer: down });
    await session.open("c1");
    expect(session.getState()).toMatchObject({ messages: [], loadFailure: { error: { status: 0 } } });

    await session.refresh();
    expect(session.getState()).toMatchObject({ loadFailure: null, conversation: { title: "Lisbon" } });
    expect(texts()).toHaveLength(50);
    expect(texts().at(-1)).toBe("Number 250");
  });

  it("keeps changes made while a page was loading", async () => {
    for (let seq = 1; seq <= 4; seq += 1) server.addRow(`Number ${seq}`);
    await session.open("c1");
    const page = Response.json({ items: server.rows, next_cursor: null });
    let answerLate: (response: Response) => void = () => undefined;
    const late = new Promise<Response>((resolve) => (answerLate = resolve));
    server.overrides.push({ path: "/c1/messages", answer: () => late });
    const refreshed = session.refresh();
    await until(() => expect(server.overrides).toHaveLength(0));

    const [, pinned, removed] = session.getState().messages as [Message, Message, Message];
    server.overrides.push({
      path: "/messages/m2",
      answer: async () => Response.json({ ...pinned, is_pinned: true }),
    });
    await session.pin(pinned, true);
    await session.remove(removed);
    const isChanged = () => {
      expect(texts()).toEqual(["Number 1", "Number 2", "Number 4"]);
      expect(session.getState().messages[1]?.is_pinned).toBe(true);
    };
    isChanged();
    const unsubscribe = session.subscribe(isChanged);
    answerLate(page);
    await refreshed;
    isChanged();
    unsubscribe();
  });

  it("notices that the conversation was deleted", async () => {
    server.addRow("Where to?");
    await session.open("c1");
    server.overrides.push({
      path: "/api/conversations/c1",
      answer: async () => Response.json({ detail: "Gone." }, { status: 404 }),
    });
    await session.refresh();
    expect(session.getState()).toMatchObject({ conversation: null, loadFailure: { retry: null } });
  });
});

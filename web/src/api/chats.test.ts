import { afterEach, expect, it, vi } from "vitest";
import { appendTurns, createChat, getChat, searchChats } from "./chats";
import type { ConversationTurn } from "./types";

afterEach(() => {
  vi.unstubAllGlobals();
});

function recordRequests(): { method: string | undefined; path: string; key: string | null; body: unknown }[] {
  const requests: ReturnType<typeof recordRequests> = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    const body = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    const key = new Headers(init.headers).get("Idempotency-Key");
    requests.push({ method: init.method, path, key, body });
    return Response.json({ id: "c1" });
  });
  return requests;
}

const turns: ConversationTurn[] = [
  { role: "user", parts: [{ text: "Che ore sono?" }] },
  { role: "model", parts: [{ text: "Le tre." }], thinking: "Guardo l'orologio." },
];

it("creates a chat without an id and loads one by id", async () => {
  const requests = recordRequests();
  expect((await createChat()).id).toBe("c1");
  await getChat("c1");
  expect(requests).toEqual([
    { method: "POST", path: "/api/chats", key: null, body: {} },
    { method: "GET", path: "/api/chats?id=c1", key: null, body: undefined },
  ]);
});

it("appends turns with an idempotency key", async () => {
  const requests = recordRequests();
  await appendTurns("c1", turns, "idle-1");
  expect(requests).toEqual([
    { method: "PATCH", path: "/api/chats", key: "idle-1", body: { id: "c1", messages: turns } },
  ]);
});

it("searches chats by a sentence", async () => {
  const requests = recordRequests();
  await searchChats("la chat sul mutuo");
  expect(requests.map(({ path }) => path)).toEqual(["/api/chats?search=la+chat+sul+mutuo"]);
});

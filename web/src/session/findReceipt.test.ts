import { afterEach, expect, it, vi } from "vitest";
import type { Message } from "../api/types";
import { findReceipt } from "./findReceipt";

afterEach(() => {
  vi.unstubAllGlobals();
});

const said: Message = {
  id: "m2",
  conversation_id: "c1",
  seq: 2,
  status: "complete",
  model_variant: "gpt",
  created_at: "2026-05-01T10:00:00Z",
  event_at: "2026-05-01T10:00:04Z",
} as Message;
const receipt = { tokens: 12 };

/** A server that has kept receipts for the answers with these numbers; what it was asked. */
function keeping(...kept: number[]): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    if (path.endsWith("/analytics")) {
      return Response.json({ by_turn: [2, 4].map((seq) => ({ seq, estimated: !kept.includes(seq) })) });
    }
    return kept.includes(2) ? Response.json(receipt) : Response.json({}, { status: 404 });
  });
  return asked;
}

it("asks at once for what was written here", async () => {
  const asked = keeping(2);
  expect(await findReceipt(said)).toEqual(receipt);
  expect(asked).toEqual(["/api/messages/m2/receipt"]);
});

it.each([
  ["an application stored", { model_variant: null }],
  ["was copied with its conversation", { event_at: "2026-04-30T10:00:00Z" }],
  ["failed", { status: "error" as const }],
])("asks for nothing that is not there, where an answer %s", async (_, changes) => {
  const asked = keeping(4);
  expect(await findReceipt({ ...said, ...changes })).toBeNull();
  expect(asked).toEqual(["/api/conversations/c1/analytics"]);
});

it("finds what an application has kept", async () => {
  keeping(2);
  expect(await findReceipt({ ...said, model_variant: null })).toEqual(receipt);
});

it("takes a receipt that has gone meanwhile for none", async () => {
  keeping();
  expect(await findReceipt(said)).toBeNull();
});

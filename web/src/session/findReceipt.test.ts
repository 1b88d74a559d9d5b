import { afterEach, expect, it, vi } from "vitest";
import type { Message } from "../api/types";
import { findReceipt } from "./findReceipt";

afterEach(() => {
  vi.unstubAllGlobals();
});

const answer: Message = {
  id: "m2",
  conversation_id: "c1",
  seq: 2,
  status: "complete",
  model_variant: "gpt",
  created_at: "2026-05-01T10:00:00Z",
  event_at: "2026-05-01T10:00:04Z",
} as Message;
const receipt = { tokens: 12 };

/** Fakes a server with receipts for these sequence numbers; returns the requested paths. */
function serveReceipts(...seqs: number[]): string[] {
  const requested: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    requested.push(path);
    if (path.endsWith("/analytics")) {
      return Response.json({ by_turn: [2, 4].map((seq) => ({ seq, estimated: !seqs.includes(seq) })) });
    }
    return seqs.includes(2) ? Response.json(receipt) : Response.json({}, { status: 404 });
  });
  return requested;
}

it("requests the receipt directly for an answer of this server", async () => {
  const requested = serveReceipts(2);
  expect(await findReceipt(answer)).toEqual(receipt);
  expect(requested).toEqual(["/api/messages/m2/receipt"]);
});

it.each([
  ["stored by an application", { model_variant: null }],
  ["copied with its conversation", { event_at: "2026-04-30T10:00:00Z" }],
  ["that failed", { status: "error" as const }],
])("requests no missing receipt for an answer %s", async (_, changes) => {
  const requested = serveReceipts(4);
  expect(await findReceipt({ ...answer, ...changes })).toBeNull();
  expect(requested).toEqual(["/api/conversations/c1/analytics"]);
});

it("finds the receipt of an answer stored by an application", async () => {
  serveReceipts(2);
  expect(await findReceipt({ ...answer, model_variant: null })).toEqual(receipt);
});

it("returns null if the receipt was deleted meanwhile", async () => {
  serveReceipts();
  expect(await findReceipt(answer)).toBeNull();
});

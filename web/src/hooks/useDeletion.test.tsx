// @vitest-environment happy-dom
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { announce, onChange, type Change } from "../api/changes";
import type { Conversation } from "../api/types";
import { useConversations } from "./useConversations";
import { useDeletion, useLeaving } from "./useDeletion";
import { NavigationContext } from "./useRoute";
import { ToastContext, type Toast } from "./useToasts";

const lisbon = { id: "c1", last_activity_at: "2026-11-16T09:00:00Z" } as Conversation;
const deletionTexts = { deleted: "Deleted.", receipt: () => "Deleted for good." };
const navigate = vi.fn();
let toasts: Toast[];
let isRefused: boolean;
let isStored: boolean;

beforeEach(() => {
  toasts = [];
  isRefused = false;
  isStored = true;
  vi.stubGlobal("fetch", async (_: string, { method }: RequestInit) => {
    if (method !== "DELETE") return Response.json({ items: isStored ? [lisbon] : [], next_cursor: null });
    if (isRefused) return Response.json({ detail: "Later." }, { status: 503 });
    isStored = false;
    return Response.json({ deleted: { messages: 4 } });
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

function wrapper({ children }: { children: ReactNode }) {
  const toasting = { tell: (toast: Toast) => void toasts.push(toast), settle: async () => undefined };
  return (
    <NavigationContext value={{ route: { page: "unknown" }, visit: 0, navigate }}>
      <ToastContext value={toasting}>{children}</ToastContext>
    </NavigationContext>
  );
}

async function open() {
  const { result } = renderHook(
    () => {
      const leaving = useLeaving();
      const { listing } = useConversations("");
      const shown = listing.items.map(({ id }) => id).filter((id) => !leaving.has(id));
      return { shown, remove: useDeletion(deletionTexts) };
    },
    { wrapper },
  );
  await waitFor(() => expect(result.current.shown).toEqual(["c1"]));
  act(() => result.current.remove(lisbon));
  expect(result.current.shown).toEqual([]);
  return result;
}

describe("useDeletion", () => {
  it("deletes when the time is over, and shows what comes back from a backup", async () => {
    const changes: Change[] = [];
    const stop = onChange((change) => changes.push(change));
    const result = await open();
    expect(isStored).toBe(true);
    await act(async () => toasts[0]?.onGone?.());
    expect(isStored).toBe(false);
    expect(toasts[1]?.text).toBe("Deleted for good.");
    expect(changes).toContainEqual({ kind: "conversation", id: "c1" });
    expect(result.current.shown).toEqual([]);
    stop();

    isStored = true;
    act(() => announce({ kind: "conversations" }));
    await waitFor(() => expect(result.current.shown).toEqual(["c1"]));
  });

  it("goes back to what it was asked to bring back", async () => {
    const result = await open();
    act(() => toasts[0]?.action?.onSelect());
    expect(result.current.shown).toEqual(["c1"]);
    expect(navigate).toHaveBeenCalledWith("/c/c1");
  });

  it("shows again what could not be deleted, and says so", async () => {
    isRefused = true;
    const result = await open();
    await act(async () => toasts[0]?.onGone?.());
    expect(toasts[1]).toEqual({ text: "Later.", isError: true });
    expect(result.current.shown).toEqual(["c1"]);
  });
});

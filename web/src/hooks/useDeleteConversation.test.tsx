// @vitest-environment happy-dom
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { publishChange, onDataChange, type DataChange } from "../api/dataChanges";
import type { Conversation } from "../api/types";
import { useConversations } from "./useConversations";
import { useDeleteConversation, usePendingDeletions } from "./useDeleteConversation";
import { NavigationContext } from "./useRoute";
import { ToastContext, type Toast } from "./useToast";

const lisbon = { id: "c1", last_activity_at: "2026-11-16T09:00:00Z" } as Conversation;
const deletionTexts = { deleted: "Deleted.", receipt: () => "Deleted for good." };
const navigate = vi.fn();
let toasts: Toast[];
let isFailing: boolean;
let isStored: boolean;

beforeEach(() => {
  toasts = [];
  isFailing = false;
  isStored = true;
  vi.stubGlobal("fetch", async (_: string, { method }: RequestInit) => {
    if (method !== "DELETE") return Response.json({ items: isStored ? [lisbon] : [], next_cursor: null });
    if (isFailing) return Response.json({ detail: "Later." }, { status: 503 });
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
  const toastActions = { showToast: (toast: Toast) => void toasts.push(toast), flush: async () => undefined };
  return (
    <NavigationContext value={{ route: { page: "unknown" }, visit: 0, navigate }}>
      <ToastContext value={toastActions}>{children}</ToastContext>
    </NavigationContext>
  );
}

async function open() {
  const { result } = renderHook(
    () => {
      const pending = usePendingDeletions();
      const { listing } = useConversations("");
      const shown = listing.items.map(({ id }) => id).filter((id) => !pending.has(id));
      return { shown, remove: useDeleteConversation(deletionTexts) };
    },
    { wrapper },
  );
  await waitFor(() => expect(result.current.shown).toEqual(["c1"]));
  act(() => result.current.remove(lisbon));
  expect(result.current.shown).toEqual([]);
  return result;
}

describe("useDeleteConversation", () => {
  it("deletes when the undo time is over, and shows a restored conversation", async () => {
    const changes: DataChange[] = [];
    const unsubscribe = onDataChange((change) => changes.push(change));
    const result = await open();
    expect(isStored).toBe(true);
    await act(async () => toasts[0]?.onDismiss?.());
    expect(isStored).toBe(false);
    expect(toasts[1]?.text).toBe("Deleted for good.");
    expect(changes).toContainEqual({ kind: "conversation", id: "c1" });
    expect(result.current.shown).toEqual([]);
    unsubscribe();

    isStored = true;
    act(() => publishChange({ kind: "conversations" }));
    await waitFor(() => expect(result.current.shown).toEqual(["c1"]));
  });

  it("opens the conversation again on undo", async () => {
    const result = await open();
    act(() => toasts[0]?.action?.onSelect());
    expect(result.current.shown).toEqual(["c1"]);
    expect(navigate).toHaveBeenCalledWith("/c/c1");
  });

  it("shows the conversation again if deleting it failed", async () => {
    isFailing = true;
    const result = await open();
    await act(async () => toasts[0]?.onDismiss?.());
    expect(toasts[1]).toEqual({ text: "Later.", isError: true });
    expect(result.current.shown).toEqual(["c1"]);
  });
});

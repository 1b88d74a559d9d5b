// @vitest-environment happy-dom
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { publishChange } from "../api/dataChanges";
import { useSummary } from "./useSummary";

let version: number;
let requested: string[];
/** Delays responses until it resolves. */
let gate: Promise<void>;

beforeEach(() => {
  version = 1;
  requested = [];
  gate = Promise.resolve();
  vi.stubGlobal("fetch", async (path: string) => {
    const id = /conversations\/(\w+)\/summary$/.exec(path)?.[1] ?? "";
    requested.push(id);
    await gate;
    return Response.json({ conversation_id: id, version });
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const open = (id: string | null) =>
  renderHook((props: { id: string | null }) => useSummary(props.id), { initialProps: { id } });

describe("useSummary", () => {
  it("requests nothing without a conversation", async () => {
    const { result } = open(null);
    await waitFor(() => expect(result.current.isLoading).toBe(false));
    expect(result.current.value).toBeNull();
    expect(requested).toEqual([]);
  });

  it("clears the summary when the conversation changes", async () => {
    const { result, rerender } = open("a");
    await waitFor(() => expect(result.current.value?.conversation_id).toBe("a"));
    let respond: () => void = () => undefined;
    gate = new Promise((resolve) => (respond = resolve));
    rerender({ id: "b" });
    expect(result.current.value).toBeNull();
    respond();
    await waitFor(() => expect(result.current.value?.conversation_id).toBe("b"));
  });

  it("reloads after a change and keeps the old summary meanwhile", async () => {
    const { result } = open("a");
    await waitFor(() => expect(result.current.value?.version).toBe(1));
    version = 2;
    act(() => publishChange({ kind: "conversation", id: "other" }));
    act(() => publishChange({ kind: "conversation", id: "a" }));
    expect(result.current.value?.version).toBe(1);
    await waitFor(() => expect(result.current.value?.version).toBe(2));
    expect(requested).toEqual(["a", "a"]);
  });
});

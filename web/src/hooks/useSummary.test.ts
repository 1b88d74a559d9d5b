// @vitest-environment happy-dom
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { announce } from "../api/changes";
import { useSummary } from "./useSummary";

let version: number;
let asked: string[];
/** Holds answers back, until it is resolved. */
let gate: Promise<void>;

beforeEach(() => {
  version = 1;
  asked = [];
  gate = Promise.resolve();
  vi.stubGlobal("fetch", async (path: string) => {
    const id = /conversations\/(\w+)\/summary$/.exec(path)?.[1] ?? "";
    asked.push(id);
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
  it("asks for nothing where there is no conversation", async () => {
    const { result } = open(null);
    await waitFor(() => expect(result.current.isLoading).toBe(false));
    expect(result.current.value).toBeNull();
    expect(asked).toEqual([]);
  });

  it("never shows one conversation's summary beside another", async () => {
    const { result, rerender } = open("a");
    await waitFor(() => expect(result.current.value?.conversation_id).toBe("a"));
    let answer: () => void = () => undefined;
    gate = new Promise((resolve) => (answer = resolve));
    rerender({ id: "b" });
    expect(result.current.value).toBeNull();
    answer();
    await waitFor(() => expect(result.current.value?.conversation_id).toBe("b"));
  });

  it("reads again what has changed, and keeps the old one until then", async () => {
    const { result } = open("a");
    await waitFor(() => expect(result.current.value?.version).toBe(1));
    version = 2;
    act(() => announce({ kind: "conversation", id: "other" }));
    act(() => announce({ kind: "conversation", id: "a" }));
    expect(result.current.value?.version).toBe(1);
    await waitFor(() => expect(result.current.value?.version).toBe(2));
    expect(asked).toEqual(["a", "a"]);
  });
});

// @vitest-environment happy-dom
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { ApiError } from "../api/error";
import { useResource } from "./useResource";

afterEach(cleanup);

const open = (load: (signal: AbortSignal) => Promise<string>, keepPrevious = false) =>
  renderHook((props) => useResource(props.load, { keepPrevious }), { initialProps: { load } });

describe("useResource", () => {
  it("clears the value when `load` changes", async () => {
    const { result, rerender } = open(async () => "a");
    await waitFor(() => expect(result.current.value).toBe("a"));
    const setOfA = result.current.set;
    rerender({ load: async () => "b" });
    expect(result.current).toMatchObject({ value: null, error: null, isLoading: true });
    await waitFor(() => expect(result.current.value).toBe("b"));
    act(() => setOfA("a, changed"));
    expect(result.current).toMatchObject({ value: "b", isLoading: false });
  });

  it("keeps the previous value with `keepPrevious`, even after a failure", async () => {
    const { result, rerender } = open(async () => "a", true);
    await waitFor(() => expect(result.current.value).toBe("a"));
    rerender({ load: () => Promise.reject(new ApiError(503, "Later.")) });
    expect(result.current).toMatchObject({ value: "a", isLoading: true });
    await waitFor(() => expect(result.current.error?.message).toBe("Later."));
    expect(result.current).toMatchObject({ value: "a", isLoading: false });
  });

  it("keeps the value while it reloads, and `set` overrides a pending reload", async () => {
    let answer = "one";
    const { result } = open(async () => answer);
    await waitFor(() => expect(result.current.value).toBe("one"));
    answer = "two";
    act(() => result.current.reload());
    expect(result.current).toMatchObject({ value: "one", isLoading: true });
    await waitFor(() => expect(result.current.value).toBe("two"));
    act(() => result.current.reload());
    act(() => result.current.set("three"));
    expect(result.current).toMatchObject({ value: "three", isLoading: false });
    await act(async () => undefined);
    expect(result.current.value).toBe("three");
  });
});

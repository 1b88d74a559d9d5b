import { afterEach, describe, expect, it, vi } from "vitest";
import { onUnauthorized, request } from "./client";
import { ApiError } from "./error";

function answer(status: number, body: string, type = "application/problem+json") {
  const reply = vi.fn<typeof fetch>(() =>
    Promise.resolve(new Response(body, { status, headers: { "Content-Type": type } })),
  );
  vi.stubGlobal("fetch", reply);
  return reply;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("request", () => {
  it("omits empty query parameters", async () => {
    const reply = answer(200, "{}");
    await request("GET", "/api/conversations", { query: { q: "", cursor: null, limit: 30 } });
    expect(reply.mock.calls[0]?.[0]).toBe("/api/conversations?limit=30");
  });

  it("escapes query parameters", async () => {
    const reply = answer(200, "{}");
    await request("GET", "/api/conversations", { query: { q: "a&b=c è" } });
    expect(reply.mock.calls[0]?.[0]).toBe("/api/conversations?q=a%26b%3Dc+%C3%A8");
  });

  it("throws the detail of a problem response", async () => {
    answer(409, JSON.stringify({ title: "Conflict", status: 409, detail: "The version is stale." }));
    await expect(request("GET", "/api/me")).rejects.toEqual(
      new ApiError(409, "The version is stale."),
    );
  });

  it("falls back to the title, then to the status", async () => {
    answer(503, JSON.stringify({ title: "Service Unavailable", detail: " " }));
    await expect(request("GET", "/api/me")).rejects.toThrow("Service Unavailable");
    answer(502, "<h1>Bad gateway</h1>", "text/html");
    await expect(request("GET", "/api/me")).rejects.toThrow("status 502");
  });

  it("rejects a response that is not JSON", async () => {
    answer(200, "<!doctype html>", "text/html");
    await expect(request("GET", "/api/me")).rejects.toBeInstanceOf(ApiError);
  });

  it("distinguishes an unreachable server from an aborted request", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed")));
    await expect(request("GET", "/api/me")).rejects.toMatchObject({ status: 0 });
    const signal = AbortSignal.abort();
    await expect(request("GET", "/api/me", { signal })).rejects.toBeInstanceOf(TypeError);
  });

  it("notifies listeners of a 401 until they unsubscribe", async () => {
    answer(401, JSON.stringify({ detail: "Sign in first." }));
    const listener = vi.fn();
    const stop = onUnauthorized(listener);
    await expect(request("GET", "/api/me")).rejects.toMatchObject({ status: 401 });
    stop();
    await expect(request("GET", "/api/me")).rejects.toMatchObject({ status: 401 });
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it("accepts a response without a body", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(null, { status: 204 })));
    await expect(request("DELETE", "/api/session")).resolves.toBeUndefined();
  });
});

import { ApiError } from "./error";

interface RequestOptions {
  query?: Record<string, string | number | null>;
  body?: unknown;
  signal?: AbortSignal;
}

const unauthorizedListeners = new Set<() => void>();

/** Calls `listener` whenever the server says 401; returns the function that stops it. */
export function onUnauthorized(listener: () => void): () => void {
  unauthorizedListeners.add(listener);
  return () => unauthorizedListeners.delete(listener);
}

/** One JSON request. Every failure is an `ApiError`, except an abort, which stays what it is. */
export async function request<T>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  { query = {}, body, signal }: RequestOptions = {},
): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  const init: RequestInit = { method, headers, credentials: "same-origin", signal: signal ?? null };
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }

  let response: Response;
  try {
    response = await fetch(path + queryString(query), init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw ApiError.unreachable();
  }
  if (response.status === 401) unauthorizedListeners.forEach((listener) => listener());
  if (!response.ok) throw await ApiError.fromResponse(response);
  if (response.status === 204) return undefined as T;
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(response.status, "The server's answer could not be read.");
  }
}

function queryString(query: Record<string, string | number | null>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

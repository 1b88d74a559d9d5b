import { ApiError } from "./error";

export interface RequestOptions {
  query?: Record<string, string | number | boolean | null>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface ClientConfig {
  /** The server's URL; empty for the page's own origin. */
  baseUrl: string;
  /** Headers for each request, such as `Authorization`. */
  headers: () => Record<string, string>;
}

let config: ClientConfig = { baseUrl: "", headers: () => ({}) };

/** Sets the server and the headers, for apps that Recollect does not serve itself. */
export function configure(changes: Partial<ClientConfig>): void {
  config = { ...config, ...changes };
}

const unauthorizedListeners = new Set<() => void>();

/** Calls `listener` on every 401 response; returns the unsubscribe function. */
export function onUnauthorized(listener: () => void): () => void {
  unauthorizedListeners.add(listener);
  return () => unauthorizedListeners.delete(listener);
}

/** Sends a JSON request. Throws `ApiError` for every failure except an abort. */
export async function request<T>(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<T> {
  const response = await send(method, path, options);
  if (response.status === 204) return undefined as T;
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw ApiError.unreadable(response.status);
  }
}

/** Sends a request and returns the successful response unread; throws `ApiError` otherwise. */
export async function send(
  method: Method,
  path: string,
  { query = {}, body, headers = {}, signal }: RequestOptions = {},
): Promise<Response> {
  const init: RequestInit = {
    method,
    headers: {
      Accept: "application/json",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...config.headers(),
      ...headers,
    },
    credentials: config.baseUrl === "" ? "same-origin" : "include",
    // A pending deletion is sent when the page closes.
    keepalive: method === "DELETE",
    signal: signal ?? null,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };

  let response: Response;
  try {
    response = await fetch(config.baseUrl + path + queryString(query), init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw ApiError.unreachable();
  }
  if (response.status === 401) unauthorizedListeners.forEach((listener) => listener());
  if (!response.ok) throw await ApiError.fromResponse(response);
  return response;
}

export function apiPath(...segments: string[]): string {
  return `/api/${segments.map(encodeURIComponent).join("/")}`;
}

function queryString(query: Record<string, string | number | boolean | null>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** Returns a random key that makes retries of one request idempotent. */
export function newIdempotencyKey(): string {
  // Not randomUUID, which browsers only offer over https.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

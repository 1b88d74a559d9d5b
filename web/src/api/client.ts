import { ApiError } from "./error";

export interface RequestOptions {
  query?: Record<string, string | number | boolean | null>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface Connection {
  /** Where the server is; nothing for the page's own. */
  baseUrl: string;
  /** What goes along with each request, such as `Authorization`. */
  headers: () => Record<string, string>;
}

let connection: Connection = { baseUrl: "", headers: () => ({}) };

/** For clients that are not served by Recollect itself, or sign in with a key or a token. */
export function configure(changes: Partial<Connection>): void {
  connection = { ...connection, ...changes };
}

const unauthorizedListeners = new Set<() => void>();

/** Calls `listener` whenever the server says 401; returns the function that stops it. */
export function onUnauthorized(listener: () => void): () => void {
  unauthorizedListeners.add(listener);
  return () => unauthorizedListeners.delete(listener);
}

/** One JSON request. Every failure is an `ApiError`, except an abort, which stays what it is. */
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

/** A request whose answer is read by the caller; only what succeeded comes back. */
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
      ...connection.headers(),
      ...headers,
    },
    credentials: connection.baseUrl === "" ? "same-origin" : "include",
    // A deletion whose time to undo ends with the page is still sent.
    keepalive: method === "DELETE",
    signal: signal ?? null,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };

  let response: Response;
  try {
    response = await fetch(connection.baseUrl + path + queryString(query), init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw ApiError.unreachable();
  }
  if (response.status === 401) unauthorizedListeners.forEach((listener) => listener());
  if (!response.ok) throw await ApiError.fromResponse(response);
  return response;
}

/** The path of something below an address, its ids escaped. */
export function pathTo(...segments: string[]): string {
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

/** Errors without a message from the server, which the UI translates. */
export type ErrorKind = "unreachable" | "unreadable" | "no-detail";

/** A failed request; `message` can be shown to the user. */
export class ApiError extends Error {
  /** The HTTP status, or 0 if there was no response. */
  readonly status: number;
  /** Null if the message is the server's. */
  readonly kind: ErrorKind | null;

  constructor(status: number, message: string, kind: ErrorKind | null = null) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.kind = kind;
  }

  static unreachable(): ApiError {
    const message = "The server cannot be reached. Check that it is running, then retry.";
    return new ApiError(0, message, "unreachable");
  }

  static unreadable(status: number): ApiError {
    return new ApiError(status, "The server's answer could not be read.", "unreadable");
  }

  /** Reads an `application/problem+json` body; falls back to the status. */
  static async fromResponse(response: Response): Promise<ApiError> {
    const problem: unknown = await response.json().catch(() => null);
    const message = stringField(problem, "detail") ?? stringField(problem, "title");
    const { status } = response;
    if (message !== null) return new ApiError(status, message);
    return new ApiError(status, `The server answered with status ${status}.`, "no-detail");
  }

  /** Whether a retry may succeed. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** A malformed id (422) counts as unknown. */
  get isNotFound(): boolean {
    return this.status === 404 || this.status === 422;
  }
}

function stringField(value: unknown, key: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  const text = (value as Record<string, unknown>)[key];
  return typeof text === "string" && text.trim() !== "" ? text : null;
}

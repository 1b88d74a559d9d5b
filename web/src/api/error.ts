/** A request that did not succeed; `message` is a sentence for the person at the screen. */
export class ApiError extends Error {
  /** The HTTP status, or 0 when no answer came at all. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }

  static unreachable(): ApiError {
    return new ApiError(0, "The server cannot be reached. Check that it is running, then retry.");
  }

  /** Reads an `application/problem+json` body, and makes do with the status when there is none. */
  static async fromResponse(response: Response): Promise<ApiError> {
    const problem: unknown = await response.json().catch(() => null);
    const sentence = textOf(problem, "detail") ?? textOf(problem, "title");
    return new ApiError(
      response.status,
      sentence ?? `The server answered with status ${response.status}.`,
    );
  }

  /** An unknown id and an id that is not even well-formed look the same to a reader. */
  get isNotFound(): boolean {
    return this.status === 404 || this.status === 422;
  }
}

function textOf(value: unknown, key: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  const text = (value as Record<string, unknown>)[key];
  return typeof text === "string" && text.trim() !== "" ? text : null;
}

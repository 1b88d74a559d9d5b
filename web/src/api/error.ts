/** What no server has put into words: nobody answered, or not in a way that can be read. */
export type Fault = "unreachable" | "unreadable" | "refused";

/** A request that did not succeed; `message` is a sentence for the person at the screen. */
export class ApiError extends Error {
  /** The HTTP status, or 0 when no answer came at all. */
  readonly status: number;
  /** Set where the sentence is not the server's: then a page has words of its own for it. */
  readonly fault: Fault | null;

  constructor(status: number, message: string, fault: Fault | null = null) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.fault = fault;
  }

  static unreachable(): ApiError {
    const sentence = "The server cannot be reached. Check that it is running, then retry.";
    return new ApiError(0, sentence, "unreachable");
  }

  static unreadable(status: number): ApiError {
    return new ApiError(status, "The server's answer could not be read.", "unreadable");
  }

  /** Reads an `application/problem+json` body, and makes do with the status when there is none. */
  static async fromResponse(response: Response): Promise<ApiError> {
    const problem: unknown = await response.json().catch(() => null);
    const sentence = textOf(problem, "detail") ?? textOf(problem, "title");
    const { status } = response;
    if (sentence !== null) return new ApiError(status, sentence);
    return new ApiError(status, `The server answered with status ${status}.`, "refused");
  }

  /** Whether the same may succeed a little later: nobody answered, or nobody could just now. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
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

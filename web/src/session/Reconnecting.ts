import { ApiError } from "../api/error";
import type { AnswerEvent } from "../api/stream";

type Events = AsyncGenerator<AnswerEvent> | null;

const firstDelay = 300;
const longestDelay = 5_000;
/** About two minutes: longer than a server takes to come back, or to give an orphan up. */
const mostAttempts = 25;

/** The events of one answer, however often the connection breaks. */
export class Reconnecting {
  #messageId: string | null = null;
  #lastEventId: string | null = null;

  constructor(
    private readonly signal: AbortSignal,
    private readonly onLost: (isLost: boolean) => void,
  ) {}

  /**
   * `open` asks for the answer, `resume` for what comes after an event. Before the first event a
   * failure is the caller's: nobody knows whether the question arrived.
   */
  async *events(
    open: (signal: AbortSignal) => Promise<Events>,
    resume: (messageId: string, lastEventId: string | null) => Promise<Events>,
  ): AsyncGenerator<AnswerEvent> {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      try {
        const events = await (this.#messageId === null
          ? open(this.signal)
          : resume(this.#messageId, this.#lastEventId));
        if (events === null) return;
        if (attempt > 0) this.onLost(false);
        for await (const event of events) {
          attempt = 0;
          this.#note(event);
          yield event;
          if (isLast(event)) return;
        }
        if (this.#messageId === null) throw ApiError.unreachable();
      } catch (error) {
        const isPassing = error instanceof ApiError && error.isPassing;
        if (this.signal.aborted || this.#messageId === null || !isPassing) throw error;
      }
      this.onLost(true);
      await pause(Math.min(firstDelay * 2 ** attempt, longestDelay), this.signal);
      if (this.signal.aborted) return;
    }
    throw ApiError.unreachable();
  }

  #note({ id, part }: AnswerEvent): void {
    if (part.type === "start") this.#messageId = part.messageId;
    if (id !== "") this.#lastEventId = id;
  }
}

function isLast({ part }: AnswerEvent): boolean {
  return part.type === "finish" || part.type === "abort" || part.type === "error";
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

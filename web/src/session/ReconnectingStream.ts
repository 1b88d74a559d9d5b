import { ApiError } from "../api/error";
import type { AnswerEvent } from "../api/stream";

type Events = AsyncGenerator<AnswerEvent> | null;

const FIRST_RETRY_MS = 300;
const MAX_RETRY_MS = 5_000;
/** About two minutes: longer than a server restart, or the expiry of an abandoned answer. */
const MAX_ATTEMPTS = 25;

/** The events of one answer; reconnects when the connection breaks. */
export class ReconnectingStream {
  #messageId: string | null = null;
  #lastEventId: string | null = null;

  constructor(
    private readonly signal: AbortSignal,
    private readonly onReconnecting: (isReconnecting: boolean) => void,
  ) {}

  /**
   * `open` starts the answer, `resume` continues it after an event. A failure before the first event
   * is thrown, because it is unknown whether the question arrived.
   */
  async *events(
    open: (signal: AbortSignal) => Promise<Events>,
    resume: (messageId: string, lastEventId: string | null) => Promise<Events>,
  ): AsyncGenerator<AnswerEvent> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      try {
        const events = await (this.#messageId === null
          ? open(this.signal)
          : resume(this.#messageId, this.#lastEventId));
        if (events === null) return;
        if (attempt > 0) this.onReconnecting(false);
        for await (const event of events) {
          attempt = 0;
          this.#track(event);
          yield event;
          if (isFinal(event)) return;
        }
        if (this.#messageId === null) throw ApiError.unreachable();
      } catch (error) {
        const isTransient = error instanceof ApiError && error.isTransient;
        if (this.signal.aborted || this.#messageId === null || !isTransient) throw error;
      }
      this.onReconnecting(true);
      await sleep(Math.min(FIRST_RETRY_MS * 2 ** attempt, MAX_RETRY_MS), this.signal);
      if (this.signal.aborted) return;
    }
    throw ApiError.unreachable();
  }

  #track({ id, event }: AnswerEvent): void {
    if (event.type === "start") this.#messageId = event.messageId;
    if (id !== "") this.#lastEventId = id;
  }
}

function isFinal({ event }: AnswerEvent): boolean {
  return event.type === "finish" || event.type === "abort" || event.type === "error";
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

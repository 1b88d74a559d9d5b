import * as messages from "../api/messages";
import type { Message, Page } from "../api/types";
import {
  around,
  atEnd,
  emptyWindow,
  replaced,
  withNewer,
  withOlder,
  without,
  type MessageWindow,
} from "../model/messageWindow";

const pageSize = 50;
const largestPage = 200;
/** How far back a look at the end goes, for what was replaced in the last turns. */
const lookBack = 20;

type Change = (window: MessageWindow) => MessageWindow;

const isStanding = ({ superseded_at }: Message) => superseded_at === null;

/**
 * What has been read of a conversation. Reads take turns, so that an older answer never lies over a
 * newer one; `onChange` is called after each. When `signal` aborts, nothing changes any more.
 */
export class History {
  #window: MessageWindow = emptyWindow;
  #lastRead: Promise<unknown> = Promise.resolve();
  /** What was changed since the last read began: it may bring what was there before. */
  #changes: Change[] = [];

  constructor(
    readonly conversationId: string,
    private readonly signal: AbortSignal,
    private readonly onChange: () => void,
  ) {}

  get window(): MessageWindow {
    return this.#window;
  }

  get last(): Message | undefined {
    return this.#window.messages.at(-1);
  }

  has(isWanted: (message: Message) => boolean): boolean {
    return this.#window.messages.some(isWanted);
  }

  /** Opens it at its end. */
  readEnd(): Promise<void> {
    return this.#read(async () => atEnd(await this.#list("desc", null, pageSize)));
  }

  /** Opens it around a message, which its id or its number names. */
  readAround(place: string): Promise<void> {
    const limit = pageSize / 2;
    return this.#read(async () => {
      const seq = /^\d+$/.test(place)
        ? Number(place)
        : (await messages.getMessage(this.conversationId, place, this.signal)).seq;
      return around(await this.#listBefore(seq, limit), await this.#list("asc", seq, limit));
    });
  }

  readOlder(): Promise<void> {
    return this.#read(async (window) => {
      const first = window.messages[0];
      if (!first) return window;
      // Where an early question was edited, hundreds that are not shown any more lie in between.
      const isSparse = window.messages.filter(isStanding).length < pageSize / 2;
      const limit = isSparse ? largestPage : pageSize;
      return withOlder(window, await this.#listBefore(first.seq, limit));
    });
  }

  readNewer(): Promise<void> {
    return this.#read((window) => this.#from(window, (this.last?.seq ?? 0) + 1, pageSize));
  }

  /** Takes over what the server has from a number on. */
  readFrom(seq: number): Promise<void> {
    return this.#read((window) => this.#from(window, seq, largestPage));
  }

  /** Takes over what has become of the messages from a number on, where that may be many. */
  readAgain(seq: number): Promise<void> {
    const isNear = (this.last?.seq ?? 0) - seq < largestPage && seq >= (this.#window.messages[0]?.seq ?? 1);
    return isNear ? this.readFrom(seq) : this.readEnd();
  }

  /** Takes over what changed at the end, if that is where one is. */
  readLately(): Promise<void> {
    return this.#read(async (window) => {
      if (window.hasNewer) return window;
      const first = window.messages[0]?.seq ?? 1;
      return this.#from(window, Math.max(first, (this.last?.seq ?? 0) - lookBack), largestPage);
    });
  }

  replace(message: Message): void {
    this.#change((window) => replaced(window, message));
  }

  remove(id: string): void {
    this.#change((window) => without(window, id));
  }

  #change(change: Change): void {
    this.#changes.push(change);
    this.#set(change(this.#window));
  }

  #read(read: (window: MessageWindow) => Promise<MessageWindow>): Promise<void> {
    const reading = this.#lastRead.then(async () => {
      this.#changes = [];
      const window = await read(this.#window);
      if (this.signal.aborted) return;
      this.#set(this.#changes.reduce((changed, change) => change(changed), window));
    });
    this.#lastRead = reading.catch(() => undefined);
    return reading;
  }

  #set(window: MessageWindow): void {
    this.#window = window;
    this.onChange();
  }

  async #from(window: MessageWindow, seq: number, limit: number): Promise<MessageWindow> {
    return withNewer(window, seq, await this.#list("asc", seq, limit));
  }

  /** What leads up to a number, newest first. */
  async #listBefore(seq: number, limit: number): Promise<Page<Message>> {
    return seq <= 1 ? { items: [], next_cursor: null } : this.#list("desc", seq - 1, limit);
  }

  #list(order: "asc" | "desc", from: number | null, limit: number): Promise<Page<Message>> {
    return messages.listMessages(this.conversationId, { order, from, limit }, this.signal);
  }
}

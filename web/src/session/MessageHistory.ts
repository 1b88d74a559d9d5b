import * as messages from "../api/messages";
import type { Message, Page } from "../api/types";
import {
  windowAround,
  endWindow,
  emptyWindow,
  replaceMessage,
  replaceFrom,
  prependOlder,
  removeMessage,
  type MessageWindow,
} from "../model/messageWindow";

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;
/** How many of the last messages a refresh reloads, to see replaced answers. */
const REFRESH_COUNT = 20;

type Change = (window: MessageWindow) => MessageWindow;

const isCurrent = ({ superseded_at }: Message) => superseded_at === null;

/**
 * The loaded messages of a conversation. Loads run one after another, so an old response never
 * overwrites a newer one; `onChange` is called after each. Nothing changes after `signal` aborts.
 */
export class MessageHistory {
  #window: MessageWindow = emptyWindow;
  #lastLoad: Promise<unknown> = Promise.resolve();
  /** Changes since the current load began, reapplied to its result, which may be older. */
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

  has(predicate: (message: Message) => boolean): boolean {
    return this.#window.messages.some(predicate);
  }

  loadEnd(): Promise<void> {
    return this.#load(async () => endWindow(await this.#list("desc", null, PAGE_SIZE)));
  }

  /** Loads the messages around one, given by its id or sequence number. */
  loadAround(anchor: string): Promise<void> {
    const limit = PAGE_SIZE / 2;
    return this.#load(async () => {
      const seq = /^\d+$/.test(anchor)
        ? Number(anchor)
        : (await messages.getMessage(this.conversationId, anchor, this.signal)).seq;
      return windowAround(await this.#listBefore(seq, limit), await this.#list("asc", seq, limit));
    });
  }

  loadOlder(): Promise<void> {
    return this.#load(async (window) => {
      const first = window.messages[0];
      if (!first) return window;
      // After an edit of an early question there may be hundreds of hidden messages.
      const isSparse = window.messages.filter(isCurrent).length < PAGE_SIZE / 2;
      const limit = isSparse ? MAX_PAGE_SIZE : PAGE_SIZE;
      return prependOlder(window, await this.#listBefore(first.seq, limit));
    });
  }

  loadNewer(): Promise<void> {
    return this.#load((window) => this.#from(window, (this.last?.seq ?? 0) + 1, PAGE_SIZE));
  }

  /** Replaces the messages from `seq` on with the server's. */
  loadFrom(seq: number): Promise<void> {
    return this.#load((window) => this.#from(window, seq, MAX_PAGE_SIZE));
  }

  /** Like `loadFrom`, but loads only the end if there are too many messages. */
  reloadFrom(seq: number): Promise<void> {
    const fits = (this.last?.seq ?? 0) - seq < MAX_PAGE_SIZE && seq >= (this.#window.messages[0]?.seq ?? 1);
    return fits ? this.loadFrom(seq) : this.loadEnd();
  }

  /** Reloads the last messages, unless newer ones have not been loaded. */
  refreshEnd(): Promise<void> {
    return this.#load(async (window) => {
      if (window.hasNewer) return window;
      const first = window.messages[0]?.seq ?? 1;
      return this.#from(window, Math.max(first, (this.last?.seq ?? 0) - REFRESH_COUNT), MAX_PAGE_SIZE);
    });
  }

  replace(message: Message): void {
    this.#change((window) => replaceMessage(window, message));
  }

  remove(id: string): void {
    this.#change((window) => removeMessage(window, id));
  }

  #change(change: Change): void {
    this.#changes.push(change);
    this.#set(change(this.#window));
  }

  #load(load: (window: MessageWindow) => Promise<MessageWindow>): Promise<void> {
    const loading = this.#lastLoad.then(async () => {
      this.#changes = [];
      const window = await load(this.#window);
      if (this.signal.aborted) return;
      this.#set(this.#changes.reduce((changed, change) => change(changed), window));
    });
    this.#lastLoad = loading.catch(() => undefined);
    return loading;
  }

  #set(window: MessageWindow): void {
    this.#window = window;
    this.onChange();
  }

  async #from(window: MessageWindow, seq: number, limit: number): Promise<MessageWindow> {
    return replaceFrom(window, seq, await this.#list("asc", seq, limit));
  }

  /** Lists the messages before `seq`, newest first. */
  async #listBefore(seq: number, limit: number): Promise<Page<Message>> {
    return seq <= 1 ? { items: [], next_cursor: null } : this.#list("desc", seq - 1, limit);
  }

  #list(order: "asc" | "desc", from: number | null, limit: number): Promise<Page<Message>> {
    return messages.listMessages(this.conversationId, { order, from, limit }, this.signal);
  }
}

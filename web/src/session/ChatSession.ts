/**
 * A conversation as one client has it open: what has been read of it, the question that is on its
 * way, and the answer that is being written.
 *
 * It knows nothing of React, so that other clients (a voice client, say) can use it as it is:
 * `subscribe` and `getState`, the way `useSyncExternalStore` wants them.
 *
 * The truth is the server's. A question is shown as pending until the stream says that it is
 * stored; then the rows are read back, and what the stream brings is laid over the answer's row. A
 * broken connection is taken up after the last event, for the answer goes on without us. When it
 * has ended, the rows are read once more.
 */
import { announce, onChange } from "../api/changes";
import * as chat from "../api/chat";
import * as conversations from "../api/conversations";
import { ApiError } from "../api/error";
import * as messages from "../api/messages";
import type { AnswerEvent, ReceiptTotals } from "../api/stream";
import type { Conversation, ConversationUpdate, Message, Page } from "../api/types";
import { applyPart, emptyAnswer, overlay, type Answer } from "../model/answer";
import {
  around,
  atEnd,
  emptyWindow,
  replaced,
  withNewer,
  withOlder,
  type MessageWindow,
} from "../model/messageWindow";
import { newKey } from "../model/newKey";
import { Reconnecting } from "./Reconnecting";

const pageSize = 50;
const largestPage = 200;
/** How far back a refresh looks for what was replaced in the last turns. */
const lookBack = 20;
const publishEvery = 40;

export interface PendingQuestion {
  text: string;
  /** The message that it takes the place of, where it is an edited one. */
  edits: string | null;
}

export interface Failure {
  error: ApiError;
  retry: () => void;
}

export interface ChatState {
  conversationId: string | null;
  conversation: Conversation | null;
  messages: readonly Message[];
  hasOlder: boolean;
  hasNewer: boolean;
  loading: "all" | "older" | "newer" | null;
  /** Why the conversation itself, or more of it, could not be read. */
  loadError: ApiError | null;
  pending: PendingQuestion | null;
  /** The answer that is being written, from when the question was sent. */
  answering: { messageId: string | null; replaces: string | null; isLost: boolean } | null;
  /** Why the last question or answer failed before it was stored. */
  failure: Failure | null;
  /** What the model was shown for the answers that were written meanwhile. */
  receipts: Readonly<Record<string, ReceiptTotals>>;
}

const nothing: ChatState = {
  conversationId: null,
  conversation: null,
  messages: [],
  hasOlder: false,
  hasNewer: false,
  loading: null,
  loadError: null,
  pending: null,
  answering: null,
  failure: null,
  receipts: {},
};

type Open = (signal: AbortSignal) => Promise<AsyncGenerator<AnswerEvent> | null>;

export class ChatSession {
  #state = nothing;
  #window: MessageWindow = emptyWindow;
  #answer: Answer | null = null;
  #abort = new AbortController();
  #listeners = new Set<() => void>();
  #publishing: ReturnType<typeof setTimeout> | null = null;
  #wantsStop = false;
  #unsubscribe: (() => void) | null = null;

  getState = (): ChatState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#unsubscribe ??= onChange((change, by) => {
      const isOurs = change.kind === "conversation" && change.id === this.#state.conversationId;
      if (isOurs && by !== this) void this.refresh();
    });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = null;
    };
  };

  /** Opens a conversation at its end, or at a message, which its id or its number names. */
  async open(id: string, place: string | null = null): Promise<void> {
    this.#reset({ conversationId: id, loading: "all" });
    const { signal } = this.#abort;
    await this.#reading("all", async () => {
      const [conversation, window] = await Promise.all([
        conversations.getConversation(id, signal),
        place === null ? this.#readEnd(id, signal) : this.#readAround(id, place, signal),
      ]);
      if (signal.aborted) return;
      this.#window = window;
      this.#update({ conversation });
      this.#followRunning();
    });
  }

  /** Begins a conversation, which the server learns of with its first message. */
  begin(): void {
    this.#reset({});
  }

  /** Stops listening. The answer goes on at the server. */
  close(): void {
    this.#reset({});
  }

  async loadOlder(): Promise<void> {
    const { conversationId: id, loading } = this.#state;
    const first = this.#window.messages[0];
    if (id === null || loading !== null || !this.#window.hasOlder || !first) return;
    const { signal } = this.#abort;
    await this.#reading("older", async () => {
      const page = await this.#readBefore(id, first.seq, pageSize, signal);
      if (signal.aborted) return;
      this.#window = withOlder(this.#window, page);
    });
  }

  async loadNewer(): Promise<void> {
    const { conversationId: id, loading } = this.#state;
    const last = this.#window.messages.at(-1);
    if (id === null || loading !== null || !this.#window.hasNewer || !last) return;
    await this.#reading("newer", () => this.#readFrom(id, last.seq + 1, this.#abort.signal, pageSize));
  }

  /** Brings a message into what has been read, if it is not there. */
  async show(place: string): Promise<void> {
    const { conversationId: id } = this.#state;
    if (id === null || this.#window.messages.some((message) => isAt(message, place))) return;
    const { signal } = this.#abort;
    await this.#reading("all", async () => {
      const window = await this.#readAround(id, place, signal);
      if (!signal.aborted) this.#window = window;
    });
  }

  async showLatest(): Promise<void> {
    const { conversationId: id } = this.#state;
    if (id === null || !this.#window.hasNewer) return;
    const { signal } = this.#abort;
    await this.#reading("all", async () => {
      const window = await this.#readEnd(id, signal);
      if (!signal.aborted) this.#window = window;
    });
  }

  /** Takes over what changed elsewhere. A failure leaves everything as it was. */
  async refresh(): Promise<void> {
    const { conversationId: id, loading } = this.#state;
    if (id === null || loading !== null) return;
    const { signal } = this.#abort;
    const last = this.#window.messages.at(-1)?.seq ?? 0;
    try {
      const conversation = await conversations.getConversation(id, signal);
      if (signal.aborted) return;
      this.#update({ conversation });
      if (this.#window.hasNewer) return;
      await this.#readFrom(id, Math.max(this.#firstSeq(), last - lookBack), signal);
      this.#followRunning();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  async send(text: string, options: chat.AskOptions = {}): Promise<void> {
    if (this.#state.answering) return;
    if (this.#window.hasNewer) await this.showLatest();
    const key = newKey();
    const { conversationId } = this.#state;
    const question: chat.Question = { ...options, message: text };
    if (conversationId !== null) question.conversation_id = conversationId;
    await this.#follow({ text, edits: null }, null, (signal) => chat.ask(question, key, signal));
  }

  /** Asks for another answer in the place of this one. */
  async regenerate(messageId: string, options: chat.AskOptions = {}): Promise<void> {
    if (this.#state.answering) return;
    const key = newKey();
    await this.#follow(null, messageId, (signal) =>
      chat.regenerate(messageId, options, key, signal),
    );
  }

  /** Asks again from an edited message of the user. */
  async edit(messageId: string, text: string, options: chat.AskOptions = {}): Promise<void> {
    if (this.#state.answering) return;
    const key = newKey();
    await this.#follow({ text, edits: messageId }, null, (signal) =>
      chat.edit(messageId, text, options, key, signal),
    );
  }

  async stop(): Promise<void> {
    const messageId = this.#state.answering?.messageId;
    if (messageId) await chat.stop(messageId);
    else this.#wantsStop = this.#state.answering !== null;
  }

  dismissFailure(): void {
    this.#update({ failure: null, pending: null });
  }

  async pin(message: Message, isPinned: boolean): Promise<void> {
    this.#replace(await messages.pinMessage(message, isPinned));
  }

  async rate(message: Message, rating: Message["rating"]): Promise<void> {
    this.#replace(await messages.rateMessage(message.id, rating));
  }

  async remove(message: Message): Promise<void> {
    await messages.deleteMessage(message);
    const rest = this.#window.messages.filter(({ id }) => id !== message.id);
    this.#window = { ...this.#window, messages: rest };
    this.#update({});
    announce({ kind: "conversation", id: message.conversation_id }, this);
  }

  async updateConversation(changes: ConversationUpdate): Promise<void> {
    const { conversationId: id } = this.#state;
    if (id === null) return;
    const conversation = await conversations.updateConversation(id, changes);
    if (this.#state.conversationId === id) this.#update({ conversation });
    announce({ kind: "conversation", id }, this);
  }

  /** Follows an answer that this or another client has asked for, if there is one. */
  #followRunning(): void {
    if (this.#state.answering) return;
    const running = this.#window.messages.findLast(({ status }) => status === "streaming");
    if (!running || running.superseded_at) return;
    void this.#follow(null, null, (signal) => chat.resume(running.id, null, signal));
  }

  async #follow(pending: PendingQuestion | null, replaces: string | null, open: Open): Promise<void> {
    const { signal } = this.#abort;
    this.#wantsStop = false;
    this.#answer = null;
    this.#update({
      pending,
      answering: { messageId: null, replaces, isLost: false },
      failure: null,
    });
    const reconnecting = new Reconnecting(signal, (isLost) => this.#setLost(isLost));
    const events = reconnecting.events(open, (messageId, lastEventId) =>
      chat.resume(messageId, lastEventId, signal),
    );
    try {
      for await (const { part } of events) {
        if (signal.aborted) return;
        this.#answer = applyPart(this.#answer ?? emptyAnswer(""), part);
        if (part.type === "start") {
          await this.#begun(part.messageId, part.messageMetadata.conversation_id, signal);
        }
        this.#publishSoon();
      }
      if (!signal.aborted) await this.#settle(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      const retry = () => void this.#follow(pending, replaces, open);
      this.#update({ answering: null, failure: { error, retry } });
      if (this.#answer !== null) void this.refresh();
    }
  }

  /** The question and a row for its answer are on disk: from here on they are read from there. */
  async #begun(messageId: string, conversationId: string, signal: AbortSignal): Promise<void> {
    const replaces = this.#state.answering?.replaces ?? null;
    this.#update({ conversationId, answering: { messageId, replaces, isLost: false } });
    if (this.#wantsStop) void chat.stop(messageId);
    const edited = this.#window.messages.find(({ id }) => id === this.#state.pending?.edits);
    const from = edited?.seq ?? (this.#window.messages.at(-1)?.seq ?? 0) + 1;
    await this.#readFrom(conversationId, from, signal);
    this.#update({ pending: null });
    announce({ kind: "conversation", id: conversationId }, this);
  }

  /** Reads back what the answer has become, and what it replaced. */
  async #settle(signal: AbortSignal): Promise<void> {
    const { conversationId: id, receipts } = this.#state;
    const answer = this.#answer;
    if (id === null || answer === null) {
      this.#update({ answering: null, pending: null });
      return this.refresh();
    }
    this.#update({
      ...(answer.receipt && { receipts: { ...receipts, [answer.messageId]: answer.receipt } }),
    });
    const row = this.#window.messages.find((message) => message.id === answer.messageId);
    const turn = this.#window.messages.find((message) => message.turn === row?.turn);
    const [conversation] = await Promise.all([
      conversations.getConversation(id, signal),
      turn && this.#readFrom(id, turn.seq, signal),
    ]);
    this.#answer = null;
    this.#update({ conversation, answering: null, pending: null });
    announce({ kind: "conversation", id }, this);
  }

  async #readEnd(id: string, signal: AbortSignal): Promise<MessageWindow> {
    const range = { order: "desc", from: null, limit: pageSize } as const;
    return atEnd(await messages.listMessages(id, range, signal));
  }

  async #readAround(id: string, place: string, signal: AbortSignal): Promise<MessageWindow> {
    const seq = /^\d+$/.test(place)
      ? Number(place)
      : (await messages.getMessage(id, place, signal)).seq;
    const limit = pageSize / 2;
    const [before, from] = await Promise.all([
      this.#readBefore(id, seq, limit, signal),
      messages.listMessages(id, { order: "asc", from: seq, limit }, signal),
    ]);
    return around(before, from);
  }

  /** What leads up to a number, newest first. */
  async #readBefore(
    id: string,
    seq: number,
    limit: number,
    signal: AbortSignal,
  ): Promise<Page<Message>> {
    if (seq <= 1) return { items: [], next_cursor: null };
    return messages.listMessages(id, { order: "desc", from: seq - 1, limit }, signal);
  }

  /** Lays what the server has from number `from` on over the window's end. */
  async #readFrom(
    id: string,
    from: number,
    signal: AbortSignal,
    limit: number = largestPage,
  ): Promise<void> {
    const page = await messages.listMessages(id, { order: "asc", from, limit }, signal);
    if (signal.aborted) return;
    this.#window = withNewer(this.#window, from, page);
    this.#update({});
  }

  async #reading(what: NonNullable<ChatState["loading"]>, read: () => Promise<void>): Promise<void> {
    const { signal } = this.#abort;
    this.#update({ loading: what, loadError: null });
    try {
      await read();
      if (!signal.aborted) this.#update({ loading: null });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.#update({ loading: null, loadError: error });
    }
  }

  #firstSeq(): number {
    return this.#window.messages[0]?.seq ?? 1;
  }

  #setLost(isLost: boolean): void {
    const { answering } = this.#state;
    if (answering) this.#update({ answering: { ...answering, isLost } });
  }

  #replace(message: Message): void {
    this.#window = replaced(this.#window, message);
    this.#update({});
    announce({ kind: "conversation", id: message.conversation_id }, this);
  }

  #reset(state: Partial<ChatState>): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#window = emptyWindow;
    this.#answer = null;
    this.#state = nothing;
    this.#update(state);
  }

  /** Words come faster than eyes and screens take them. */
  #publishSoon(): void {
    this.#publishing ??= setTimeout(() => this.#update({}), publishEvery);
  }

  #update(changes: Partial<ChatState>): void {
    if (this.#publishing !== null) clearTimeout(this.#publishing);
    this.#publishing = null;
    const answer = this.#answer;
    const rows = this.#window.messages;
    this.#state = {
      ...this.#state,
      ...changes,
      messages: answer
        ? rows.map((row) => (row.id === answer.messageId ? overlay(row, answer) : row))
        : rows,
      hasOlder: this.#window.hasOlder,
      hasNewer: this.#window.hasNewer,
    };
    this.#listeners.forEach((listener) => listener());
  }
}

/** Whether a message is the one that a place, its id or its number, names. */
export function isAt(message: Message, place: string): boolean {
  return message.id === place || String(message.seq) === place;
}

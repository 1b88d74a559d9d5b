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
 *
 * Whatever is opened next aborts what was under way before: `#abort` is one conversation's.
 */
import { announce, onChange } from "../api/changes";
import * as chat from "../api/chat";
import * as conversations from "../api/conversations";
import { ApiError } from "../api/error";
import * as messages from "../api/messages";
import type { AnswerEvent } from "../api/stream";
import type { Conversation, ConversationUpdate, Message } from "../api/types";
import { applyPart, emptyAnswer, overlay, type Answer } from "../model/answer";
import { emptyWindow } from "../model/messageWindow";
import { newKey } from "../model/newKey";
import { isAt } from "../model/place";
import { History } from "./History";
import { Reconnecting } from "./Reconnecting";

const publishEvery = 40;

export interface PendingQuestion {
  text: string;
  /** The message that it takes the place of, where it is an edited one. */
  edits: string | null;
}

export interface Failure {
  error: ApiError;
  /** None where another attempt could not do better. */
  retry: (() => Promise<void>) | null;
}

export interface Answering {
  /** None until the server has stored the question. */
  messageId: string | null;
  /** The numbers of the messages that it takes the place of, from its first word on. */
  replaces: { from: number; to: number } | null;
  isLost: boolean;
}

export interface ChatState {
  conversationId: string | null;
  conversation: Conversation | null;
  messages: readonly Message[];
  hasOlder: boolean;
  hasNewer: boolean;
  loading: "all" | "older" | "newer" | null;
  /** Why the conversation itself, or more of it, could not be read. */
  loadFailure: Failure | null;
  /** Whether the message that it was to be opened at is gone. */
  isPlaceGone: boolean;
  pending: PendingQuestion | null;
  /** The answer that is being written, from when the question was sent. */
  answering: Answering | null;
  /** Why the last question did not arrive, or its answer could not be followed to its end. */
  failure: Failure | null;
}

const nothing: ChatState = {
  conversationId: null,
  conversation: null,
  messages: [],
  hasOlder: false,
  hasNewer: false,
  loading: null,
  loadFailure: null,
  isPlaceGone: false,
  pending: null,
  answering: null,
  failure: null,
};

interface Asking {
  pending: PendingQuestion | null;
  /** The message from which on the answer takes the place of what is there. */
  replaces: string | null;
  /** The answer that somebody has asked for already. */
  follows?: string;
  open: (signal: AbortSignal) => Promise<AsyncGenerator<AnswerEvent> | null>;
  /** Called once the question is on disk, with its conversation. */
  onStored?: ((conversationId: string) => void) | undefined;
}

export class ChatSession {
  #state = nothing;
  #history: History | null = null;
  #answer: Answer | null = null;
  #abort = new AbortController();
  #wantsStop = false;
  #listeners = new Set<() => void>();
  #publishing: ReturnType<typeof setTimeout> | null = null;
  #stopListening: (() => void) | null = null;

  getState = (): ChatState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#stopListening ??= onChange((change, by) => {
      const isOurs = change.kind === "conversation" && change.id === this.#state.conversationId;
      if (isOurs && by !== this) void this.refresh();
    });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stopListening?.();
      this.#stopListening = null;
    };
  };

  /** Opens a conversation at its end, or at a message, which its id or its number names. */
  async open(id: string, place: string | null = null): Promise<void> {
    this.#reset({ conversationId: id });
    const { signal } = this.#abort;
    const history = this.#begin(id);
    await this.#reading("all", async () => {
      const [conversation] = await Promise.all([
        conversations.getConversation(id, signal),
        place === null ? history.readEnd() : this.#readAround(history, place),
      ]);
      if (signal.aborted) return;
      this.#update({ conversation });
      this.#followRunning();
    });
  }

  /** Leaves what is open, for a conversation that the server learns of with its first message. The
   * answer that was being written goes on at the server. */
  begin(): void {
    this.#reset({});
  }

  /** Stops listening. */
  close(): void {
    this.#reset({});
  }

  async loadOlder(): Promise<void> {
    const history = this.#history;
    if (history && this.#state.hasOlder) await this.#readingMore("older", () => history.readOlder());
  }

  async loadNewer(): Promise<void> {
    const history = this.#history;
    if (history && this.#state.hasNewer) await this.#readingMore("newer", () => history.readNewer());
  }

  /** Brings a message into what has been read, if it is not there. */
  async show(place: string): Promise<void> {
    const history = this.#history;
    if (history === null || history.has((message) => isAt(message, place))) return;
    await this.#reading("all", () => this.#readAround(history, place));
  }

  async showLatest(): Promise<void> {
    const history = this.#history;
    if (history && this.#state.hasNewer) await this.#reading("all", () => history.readEnd());
  }

  /** Takes over what changed elsewhere. A passing failure leaves everything as it was. Where
   * something could not be read, that comes first: until then it is not known what there is. */
  async refresh(): Promise<void> {
    await this.#takeOver(null);
  }

  /** `onStored` is called once the question is on disk. */
  async send(
    text: string,
    options: chat.AskOptions = {},
    onStored?: (conversationId: string) => void,
  ): Promise<void> {
    const key = newKey();
    const question: chat.Question = { ...options, message: text };
    const { conversationId } = this.#state;
    if (conversationId !== null) question.conversation_id = conversationId;
    await this.#ask({
      pending: { text, edits: null },
      replaces: null,
      open: (signal) => chat.ask(question, key, signal),
      onStored,
    });
  }

  /** Asks for another answer in the place of this one. */
  async regenerate(messageId: string, options: chat.AskOptions = {}): Promise<void> {
    const key = newKey();
    await this.#ask({
      pending: null,
      replaces: messageId,
      open: (signal) => chat.regenerate(messageId, options, key, signal),
    });
  }

  /** Asks again from an edited message of the user. */
  async edit(messageId: string, text: string, options: chat.AskOptions = {}): Promise<void> {
    const key = newKey();
    await this.#ask({
      pending: { text, edits: messageId },
      replaces: messageId,
      open: (signal) => chat.edit(messageId, text, options, key, signal),
    });
  }

  /** Ends the answer that is being written; one that has not begun, as soon as it has. */
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
    this.#historyOf(message.conversation_id)?.remove(message.id);
    announce({ kind: "conversation", id: message.conversation_id }, this);
  }

  async updateConversation(changes: ConversationUpdate): Promise<void> {
    const { conversationId: id } = this.#state;
    if (id === null) return;
    const conversation = await conversations.updateConversation(id, changes);
    if (this.#state.conversationId === id) this.#update({ conversation });
    announce({ kind: "conversation", id }, this);
  }

  async #takeOver(followedId: string | null): Promise<void> {
    const history = this.#history;
    const { loading, loadFailure } = this.#state;
    if (history === null || loading !== null) return;
    if (loadFailure) return loadFailure.retry?.();
    const { signal } = this.#abort;
    try {
      const conversation = await conversations.getConversation(history.conversationId, signal);
      await history.readLately();
      if (signal.aborted) return;
      const isRenamed = conversation.title !== this.#state.conversation?.title;
      this.#update({ conversation });
      if (isRenamed) announce({ kind: "conversation", id: conversation.id }, this);
      this.#followRunning(followedId);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 404) this.#lose(error);
    }
  }

  /** Follows an answer that this or another client has asked for, if there is one other than the
   * one that was followed, to its end or in vain. A question that did not arrive stays meanwhile. */
  #followRunning(followedId: string | null = null): void {
    if (this.#state.answering) return;
    const isRunning = ({ id, status, superseded_at }: Message) =>
      status === "streaming" && superseded_at === null && id !== followedId;
    const running = this.#history?.window.messages.findLast(isRunning);
    if (!running) return;
    const following: Asking = {
      pending: null,
      replaces: null,
      follows: running.id,
      open: (signal) => chat.resume(running.id, null, signal),
    };
    const { pending, failure } = this.#state;
    // Where only the word of its arrival was lost, this is its answer.
    const isIt = ({ turn, role, content }: Message) =>
      turn === running.turn && role === "user" && content === pending?.text;
    const isUnsent = pending !== null && !this.#history?.has(isIt);
    void this.#ask(following, isUnsent ? { pending, failure } : null);
  }

  async #ask(
    asking: Asking,
    kept: Pick<ChatState, "pending" | "failure"> | null = null,
  ): Promise<void> {
    if (this.#state.answering) return;
    const { signal } = this.#abort;
    this.#wantsStop = false;
    this.#answer = null;
    const first = this.#history?.window.messages.find(({ id }) => id === asking.replaces);
    this.#update({
      pending: asking.pending,
      answering: { messageId: null, replaces: null, isLost: false },
      failure: null,
      ...kept,
    });
    try {
      // What is asked stands at the end, so that is where to look on.
      if (this.#history?.window.hasNewer) await this.#history.readEnd();
      if (signal.aborted) return;
      const last = this.#history?.last;
      if (first && last) this.#setAnswering({ replaces: { from: first.seq, to: last.seq } });
      await this.#follow(asking, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#fail(asking, error);
    }
  }

  #fail(asking: Asking, error: unknown): void {
    const isStored = asking.pending !== null && this.#state.answering?.messageId;
    this.#answer = null;
    this.#update({ answering: null, ...(isStored && { pending: null }) });
    if (!(error instanceof ApiError)) throw error;
    const retry = error.status === 404 ? null : () => this.#ask(asking);
    // An answer goes on without us; a question that did not arrive needs its way to be sent again.
    this.#update({ failure: this.#state.failure ?? { error, retry } });
    void this.#takeOver(asking.follows ?? null); // what cannot be followed is tried again later
  }

  async #follow(asking: Asking, signal: AbortSignal): Promise<void> {
    const reconnecting = new Reconnecting(signal, (isLost) => this.#setAnswering({ isLost }));
    const events = reconnecting.events(asking.open, (messageId, lastEventId) =>
      chat.resume(messageId, lastEventId, signal),
    );
    for await (const { part } of events) {
      if (signal.aborted) return;
      if (part.type === "start") {
        await this.#begun(asking, part.messageId, part.messageMetadata.conversation_id);
      } else if (part.type === "error" && this.#answer === null) {
        throw new ApiError(500, part.errorText);
      }
      if (signal.aborted) return;
      this.#answer = applyPart(this.#answer ?? emptyAnswer(""), part);
      this.#publishSoon();
    }
    if (!signal.aborted) await this.#settle();
  }

  /** The question and a row for its answer are on disk: from here on they are read from there. */
  async #begun(asking: Asking, messageId: string, conversationId: string): Promise<void> {
    asking.onStored?.(conversationId);
    const history = this.#historyOf(conversationId) ?? this.#begin(conversationId);
    this.#answer = emptyAnswer(messageId);
    this.#update({ conversationId });
    this.#setAnswering({ messageId });
    if (this.#wantsStop) chat.stop(messageId).catch(() => undefined); // there is a button for it
    const [conversation] = await Promise.all([
      this.#state.conversation ?? conversations.getConversation(conversationId, this.#abort.signal),
      history.readFrom((history.last?.seq ?? 0) + 1),
    ]);
    this.#update({ conversation, ...(asking.pending && { pending: null }) });
    announce({ kind: "conversation", id: conversationId }, this);
  }

  /** Reads back what the answer has become, and what it replaced. */
  async #settle(): Promise<void> {
    const { signal } = this.#abort;
    const history = this.#history;
    const answerId = this.#answer?.messageId ?? null;
    if (history) {
      const from = this.#state.answering?.replaces?.from;
      const [conversation] = await Promise.all([
        conversations.getConversation(history.conversationId, signal),
        from === undefined ? history.readLately() : history.readAgain(from),
      ]);
      if (signal.aborted) return;
      this.#update({ conversation });
      announce({ kind: "conversation", id: history.conversationId }, this);
    }
    this.#answer = null;
    this.#update({ answering: null });
    this.#followRunning(answerId);
  }

  async #readAround(history: History, place: string): Promise<void> {
    try {
      await history.readAround(place);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      this.#update({ isPlaceGone: true });
      await history.readEnd();
    }
  }

  async #readingMore(what: "older" | "newer", read: () => Promise<void>): Promise<void> {
    const { loading, loadFailure } = this.#state;
    if (loading === null && loadFailure === null) await this.#reading(what, read);
  }

  async #reading(what: NonNullable<ChatState["loading"]>, read: () => Promise<void>): Promise<void> {
    const { signal } = this.#abort;
    this.#update({ loading: what, loadFailure: null, isPlaceGone: false });
    try {
      await read();
      if (!signal.aborted) this.#update({ loading: null });
    } catch (error) {
      if (signal.aborted) return;
      this.#update({ loading: null });
      if (!(error instanceof ApiError)) throw error;
      if (error.isNotFound) this.#lose(error);
      else this.#update({ loadFailure: { error, retry: () => this.#reading(what, read) } });
    }
  }

  /** The conversation is not there any more, or never was. */
  #lose(error: ApiError): void {
    const { conversationId } = this.#state;
    this.#reset({ conversationId, loadFailure: { error, retry: null } });
  }

  #begin(conversationId: string): History {
    this.#history = new History(conversationId, this.#abort.signal, () => this.#update({}));
    return this.#history;
  }

  #historyOf(conversationId: string): History | null {
    return this.#history?.conversationId === conversationId ? this.#history : null;
  }

  #setAnswering(changes: Partial<Answering>): void {
    const { answering } = this.#state;
    if (answering) this.#update({ answering: { ...answering, ...changes } });
  }

  #replace(message: Message): void {
    this.#historyOf(message.conversation_id)?.replace(message);
    announce({ kind: "conversation", id: message.conversation_id }, this);
  }

  #reset(state: Partial<ChatState>): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#history = null;
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
    const { messages: rows, hasOlder, hasNewer } = this.#history?.window ?? emptyWindow;
    this.#state = {
      ...this.#state,
      ...changes,
      messages: answer
        ? rows.map((row) => (row.id === answer.messageId ? overlay(row, answer) : row))
        : rows,
      hasOlder,
      hasNewer,
    };
    this.#listeners.forEach((listener) => listener());
  }
}

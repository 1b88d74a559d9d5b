/**
 * An open conversation: its loaded messages, the pending question and the streaming answer.
 *
 * Independent of React: `subscribe` and `getState` fit `useSyncExternalStore`, and other clients
 * (voice, for example) can use them directly.
 *
 * The server is the source of truth. A question is pending until the stream says that it is stored;
 * then the messages are loaded and streamed text is merged into the answer's message. A broken
 * connection resumes after the last event, because the answer continues on the server. At the end
 * the messages are loaded again.
 *
 * `#abort` belongs to the open conversation: opening another one cancels all its requests.
 */
import * as chat from "../api/chat";
import { newIdempotencyKey } from "../api/client";
import * as conversations from "../api/conversations";
import { publishChange, onDataChange } from "../api/dataChanges";
import { ApiError } from "../api/error";
import * as messages from "../api/messages";
import type { AnswerEvent } from "../api/stream";
import type { Conversation, ConversationUpdate, Message } from "../api/types";
import { applyEvent, emptyAnswer, mergeAnswer, type Answer } from "../model/answer";
import { emptyWindow, matchesAnchor } from "../model/messageWindow";
import { MessageHistory } from "./MessageHistory";
import { ReconnectingStream } from "./ReconnectingStream";

const PUBLISH_INTERVAL_MS = 40;

export interface PendingQuestion {
  text: string;
  /** Id of the message that it edits. */
  edits: string | null;
}

export interface Failure {
  error: ApiError;
  /** Null if a retry cannot succeed. */
  retry: (() => Promise<void>) | null;
}

export interface ActiveAnswer {
  /** Null until the server has stored the question. */
  messageId: string | null;
  /** Sequence numbers of the messages that it replaces, as soon as it has text. */
  replaces: { from: number; to: number } | null;
  isReconnecting: boolean;
}

export interface ChatState {
  conversationId: string | null;
  conversation: Conversation | null;
  messages: readonly Message[];
  hasOlder: boolean;
  hasNewer: boolean;
  loading: "all" | "older" | "newer" | null;
  /** Why loading messages failed. */
  loadFailure: Failure | null;
  /** Whether the message to open at does not exist. */
  isAnchorMissing: boolean;
  pending: PendingQuestion | null;
  /** The answer in progress, from when the question was sent. */
  activeAnswer: ActiveAnswer | null;
  /** Why the last question or its answer failed. */
  failure: Failure | null;
}

const initialState: ChatState = {
  conversationId: null,
  conversation: null,
  messages: [],
  hasOlder: false,
  hasNewer: false,
  loading: null,
  loadFailure: null,
  isAnchorMissing: false,
  pending: null,
  activeAnswer: null,
  failure: null,
};

interface AnswerRequest {
  pending: PendingQuestion | null;
  /** Id of the first message that the answer replaces. */
  replaces: string | null;
  /** Id of a running answer that is followed instead of requested. */
  followedId?: string;
  open: (signal: AbortSignal) => Promise<AsyncGenerator<AnswerEvent> | null>;
  /** Called with the conversation once the question is stored. */
  onStored?: ((conversationId: string) => void) | undefined;
}

export class ChatSession {
  #state = initialState;
  #history: MessageHistory | null = null;
  #answer: Answer | null = null;
  #abort = new AbortController();
  #wantsStop = false;
  #listeners = new Set<() => void>();
  #publishTimer: ReturnType<typeof setTimeout> | null = null;
  #unsubscribe: (() => void) | null = null;

  getState = (): ChatState => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#unsubscribe ??= onDataChange((change, source) => {
      const isOpen = change.kind === "conversation" && change.id === this.#state.conversationId;
      if (isOpen && source !== this) void this.refresh();
    });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = null;
    };
  };

  /** Opens a conversation at its end, or at a message (its id or sequence number). */
  async open(id: string, anchor: string | null = null): Promise<void> {
    this.#reset({ conversationId: id });
    const { signal } = this.#abort;
    const history = this.#createHistory(id);
    await this.#load("all", async () => {
      const [conversation] = await Promise.all([
        conversations.getConversation(id, signal),
        anchor === null ? history.loadEnd() : this.#loadAround(history, anchor),
      ]);
      if (signal.aborted) return;
      this.#update({ conversation });
      this.#followRunning();
    });
  }

  /** Closes the conversation; the next message starts a new one. A running answer continues on the
   * server. */
  close(): void {
    this.#reset({});
  }

  async loadOlder(): Promise<void> {
    const history = this.#history;
    if (history && this.#state.hasOlder) await this.#loadMore("older", () => history.loadOlder());
  }

  async loadNewer(): Promise<void> {
    const history = this.#history;
    if (history && this.#state.hasNewer) await this.#loadMore("newer", () => history.loadNewer());
  }

  /** Loads the messages around one, if it is not loaded. */
  async show(anchor: string): Promise<void> {
    const history = this.#history;
    if (history === null || history.has((message) => matchesAnchor(message, anchor))) return;
    await this.#load("all", () => this.#loadAround(history, anchor));
  }

  async showLatest(): Promise<void> {
    const history = this.#history;
    if (history && this.#state.hasNewer) await this.#load("all", () => history.loadEnd());
  }

  /** Loads changes made elsewhere, ignoring transient failures. Retries a failed load first. */
  async refresh(): Promise<void> {
    await this.#sync(null);
  }

  /** Sends a question; `onStored` is called once it is stored. */
  async send(
    text: string,
    options: chat.AskOptions = {},
    onStored?: (conversationId: string) => void,
  ): Promise<void> {
    const key = newIdempotencyKey();
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

  /** Replaces an answer by a new one. */
  async regenerate(messageId: string, options: chat.AskOptions = {}): Promise<void> {
    const key = newIdempotencyKey();
    await this.#ask({
      pending: null,
      replaces: messageId,
      open: (signal) => chat.regenerate(messageId, options, key, signal),
    });
  }

  /** Asks again with an edited user message. */
  async edit(messageId: string, text: string, options: chat.AskOptions = {}): Promise<void> {
    const key = newIdempotencyKey();
    await this.#ask({
      pending: { text, edits: messageId },
      replaces: messageId,
      open: (signal) => chat.edit(messageId, text, options, key, signal),
    });
  }

  /** Stops the running answer; one that has not started yet is stopped as soon as it starts. */
  async stop(): Promise<void> {
    const messageId = this.#state.activeAnswer?.messageId;
    if (messageId) await chat.stop(messageId);
    else this.#wantsStop = this.#state.activeAnswer !== null;
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
    publishChange({ kind: "conversation", id: message.conversation_id }, this);
  }

  async updateConversation(changes: ConversationUpdate): Promise<void> {
    const { conversationId: id } = this.#state;
    if (id === null) return;
    const conversation = await conversations.updateConversation(id, changes);
    if (this.#state.conversationId === id) this.#update({ conversation });
    publishChange({ kind: "conversation", id }, this);
  }

  async #sync(followedId: string | null): Promise<void> {
    const history = this.#history;
    const { loading, loadFailure } = this.#state;
    if (history === null || loading !== null) return;
    if (loadFailure) return loadFailure.retry?.();
    const { signal } = this.#abort;
    try {
      const conversation = await conversations.getConversation(history.conversationId, signal);
      await history.refreshEnd();
      if (signal.aborted) return;
      const isRenamed = conversation.title !== this.#state.conversation?.title;
      this.#update({ conversation });
      if (isRenamed) publishChange({ kind: "conversation", id: conversation.id }, this);
      this.#followRunning(followedId);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 404) this.#markMissing(error);
    }
  }

  /** Follows a running answer of this or another client, except `followedId`, which was followed
   * already. A question that could not be sent stays pending meanwhile. */
  #followRunning(followedId: string | null = null): void {
    if (this.#state.activeAnswer) return;
    const isRunning = ({ id, status, superseded_at }: Message) =>
      status === "streaming" && superseded_at === null && id !== followedId;
    const running = this.#history?.window.messages.findLast(isRunning);
    if (!running) return;
    const request: AnswerRequest = {
      pending: null,
      replaces: null,
      followedId: running.id,
      open: (signal) => chat.resume(running.id, null, signal),
    };
    const { pending, failure } = this.#state;
    // If the question arrived and only the response was lost, this is its answer.
    const isPending = ({ turn, role, content }: Message) =>
      turn === running.turn && role === "user" && content === pending?.text;
    const isUnsent = pending !== null && !this.#history?.has(isPending);
    void this.#ask(request, isUnsent ? { pending, failure } : null);
  }

  async #ask(
    request: AnswerRequest,
    unsent: Pick<ChatState, "pending" | "failure"> | null = null,
  ): Promise<void> {
    if (this.#state.activeAnswer) return;
    const { signal } = this.#abort;
    this.#wantsStop = false;
    this.#answer = null;
    const first = this.#history?.window.messages.find(({ id }) => id === request.replaces);
    this.#update({
      pending: request.pending,
      activeAnswer: { messageId: null, replaces: null, isReconnecting: false },
      failure: null,
      ...unsent,
    });
    try {
      if (this.#history?.window.hasNewer) await this.#history.loadEnd();
      if (signal.aborted) return;
      const last = this.#history?.last;
      if (first && last) this.#setAnswering({ replaces: { from: first.seq, to: last.seq } });
      await this.#follow(request, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#fail(request, error);
    }
  }

  #fail(request: AnswerRequest, error: unknown): void {
    const isStored = request.pending !== null && this.#state.activeAnswer?.messageId;
    this.#answer = null;
    this.#update({ activeAnswer: null, ...(isStored && { pending: null }) });
    if (!(error instanceof ApiError)) throw error;
    const retry = error.status === 404 ? null : () => this.#ask(request);
    // Keep the failure of an unsent question: its retry is the only way to send it.
    this.#update({ failure: this.#state.failure ?? { error, retry } });
    void this.#sync(request.followedId ?? null);
  }

  async #follow(request: AnswerRequest, signal: AbortSignal): Promise<void> {
    const stream = new ReconnectingStream(signal, (isReconnecting) => this.#setAnswering({ isReconnecting }));
    const events = stream.events(request.open, (messageId, lastEventId) =>
      chat.resume(messageId, lastEventId, signal),
    );
    for await (const { event } of events) {
      if (signal.aborted) return;
      if (event.type === "start") {
        await this.#onStarted(request, event.messageId, event.messageMetadata.conversation_id);
      } else if (event.type === "error" && this.#answer === null) {
        throw new ApiError(500, event.errorText);
      }
      if (signal.aborted) return;
      this.#answer = applyEvent(this.#answer ?? emptyAnswer(""), event);
      this.#publishSoon();
    }
    if (!signal.aborted) await this.#finish();
  }

  /** The question and an empty answer are stored: load them. */
  async #onStarted(request: AnswerRequest, messageId: string, conversationId: string): Promise<void> {
    request.onStored?.(conversationId);
    const history = this.#historyOf(conversationId) ?? this.#createHistory(conversationId);
    this.#answer = emptyAnswer(messageId);
    this.#update({ conversationId });
    this.#setAnswering({ messageId });
    if (this.#wantsStop) chat.stop(messageId).catch(() => undefined);
    const [conversation] = await Promise.all([
      this.#state.conversation ?? conversations.getConversation(conversationId, this.#abort.signal),
      history.loadFrom((history.last?.seq ?? 0) + 1),
    ]);
    this.#update({ conversation, ...(request.pending && { pending: null }) });
    publishChange({ kind: "conversation", id: conversationId }, this);
  }

  /** Loads the finished answer, and the messages that it replaced. */
  async #finish(): Promise<void> {
    const { signal } = this.#abort;
    const history = this.#history;
    const answerId = this.#answer?.messageId ?? null;
    if (history) {
      const from = this.#state.activeAnswer?.replaces?.from;
      const [conversation] = await Promise.all([
        conversations.getConversation(history.conversationId, signal),
        from === undefined ? history.refreshEnd() : history.reloadFrom(from),
      ]);
      if (signal.aborted) return;
      this.#update({ conversation });
      publishChange({ kind: "conversation", id: history.conversationId }, this);
    }
    this.#answer = null;
    this.#update({ activeAnswer: null });
    this.#followRunning(answerId);
  }

  async #loadAround(history: MessageHistory, anchor: string): Promise<void> {
    try {
      await history.loadAround(anchor);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      this.#update({ isAnchorMissing: true });
      await history.loadEnd();
    }
  }

  async #loadMore(part: "older" | "newer", load: () => Promise<void>): Promise<void> {
    const { loading, loadFailure } = this.#state;
    if (loading === null && loadFailure === null) await this.#load(part, load);
  }

  async #load(part: NonNullable<ChatState["loading"]>, load: () => Promise<void>): Promise<void> {
    const { signal } = this.#abort;
    this.#update({ loading: part, loadFailure: null, isAnchorMissing: false });
    try {
      await load();
      if (!signal.aborted) this.#update({ loading: null });
    } catch (error) {
      if (signal.aborted) return;
      this.#update({ loading: null });
      if (!(error instanceof ApiError)) throw error;
      if (error.isNotFound) this.#markMissing(error);
      else this.#update({ loadFailure: { error, retry: () => this.#load(part, load) } });
    }
  }

  /** The conversation does not exist. */
  #markMissing(error: ApiError): void {
    const { conversationId } = this.#state;
    this.#reset({ conversationId, loadFailure: { error, retry: null } });
  }

  #createHistory(conversationId: string): MessageHistory {
    this.#history = new MessageHistory(conversationId, this.#abort.signal, () => this.#update({}));
    return this.#history;
  }

  #historyOf(conversationId: string): MessageHistory | null {
    return this.#history?.conversationId === conversationId ? this.#history : null;
  }

  #setAnswering(changes: Partial<ActiveAnswer>): void {
    const { activeAnswer } = this.#state;
    if (activeAnswer) this.#update({ activeAnswer: { ...activeAnswer, ...changes } });
  }

  #replace(message: Message): void {
    this.#historyOf(message.conversation_id)?.replace(message);
    publishChange({ kind: "conversation", id: message.conversation_id }, this);
  }

  #reset(state: Partial<ChatState>): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#history = null;
    this.#answer = null;
    this.#state = initialState;
    this.#update(state);
  }

  /** Throttles updates while text streams in. */
  #publishSoon(): void {
    this.#publishTimer ??= setTimeout(() => this.#update({}), PUBLISH_INTERVAL_MS);
  }

  #update(changes: Partial<ChatState>): void {
    if (this.#publishTimer !== null) clearTimeout(this.#publishTimer);
    this.#publishTimer = null;
    const answer = this.#answer;
    const { messages: rows, hasOlder, hasNewer } = this.#history?.window ?? emptyWindow;
    this.#state = {
      ...this.#state,
      ...changes,
      messages: answer
        ? rows.map((row) => (row.id === answer.messageId ? mergeAnswer(row, answer) : row))
        : rows,
      hasOlder,
      hasNewer,
    };
    this.#listeners.forEach((listener) => listener());
  }
}

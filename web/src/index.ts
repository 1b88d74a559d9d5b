/**
 * The client half, for other apps to build on: the typed API, hooks for React, and a session that
 * needs no React at all. The page itself is built on the same.
 */
export * from "./api/analytics";
export { announce, onChange, type Change } from "./api/changes";
export * from "./api/chat";
export * from "./api/chats";
export { configure, onUnauthorized } from "./api/client";
export * from "./api/conversations";
export * from "./api/data";
export { ApiError } from "./api/error";
export * from "./api/finding";
export * from "./api/identity";
export * from "./api/jobs";
export * from "./api/keys";
export * from "./api/memories";
export * from "./api/messages";
export * from "./api/models";
export { eventsOf, parsePart, type AnswerEvent, type Part, type ReceiptTotals } from "./api/stream";
export * from "./api/summaries";
export type * from "./api/types";
export { useChat, type Chat } from "./hooks/useChat";
export { useConversations, type Conversations } from "./hooks/useConversations";
export { useMemories, type Memories } from "./hooks/useMemories";
export type { Paged } from "./hooks/usePaged";
export {
  ChatSession,
  type Answering,
  type ChatState,
  type Failure,
  type PendingQuestion,
} from "./session/ChatSession";
export { runSwitchTool, switchTool, type SwitchResult } from "./session/switchTool";

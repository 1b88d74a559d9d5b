/**
 * The client library for other apps: the typed API, React hooks, and a chat session without React.
 * The web app is built on it.
 */
export * from "./api/analytics";
export * from "./api/chat";
export * from "./api/chats";
export { configure, onUnauthorized } from "./api/client";
export * from "./api/conversations";
export * from "./api/data";
export * from "./api/dataChanges";
export { ApiError } from "./api/error";
export * from "./api/identity";
export * from "./api/jobs";
export * from "./api/keys";
export * from "./api/memories";
export * from "./api/messages";
export * from "./api/models";
export * from "./api/search";
export * from "./api/stream";
export * from "./api/summaries";
export type * from "./api/types";
export { useChat, type Chat } from "./hooks/useChat";
export { useConversations, type Conversations } from "./hooks/useConversations";
export { useMemories, type Memories } from "./hooks/useMemories";
export type { PagedList } from "./hooks/usePagedList";
export * from "./session/ChatSession";
export * from "./session/switchTool";

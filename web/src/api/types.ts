/** The shapes of the HTTP contract, as far as the page reads them. */

export type Role = "user" | "assistant" | "system" | "tool";

export type MessageStatus = "complete" | "streaming" | "interrupted" | "error";

export interface Message {
  id: string;
  seq: number;
  turn: number;
  role: Role;
  content: string;
  status: MessageStatus;
  thinking: string | null;
  tool_calls: readonly unknown[] | null;
  is_pinned: boolean;
  /** Since when another answer, or an edited question, stands in its place. */
  superseded_at: string | null;
  /** When it was said, which for imported history is long before it was recorded. */
  event_at: string;
}

export interface Conversation {
  id: string;
  title: string | null;
  topic: string | null;
  policy: string;
  is_archived: boolean;
  message_count: number;
  token_count: number;
  created_at: string;
  last_activity_at: string;
}

export interface Page<T> {
  items: readonly T[];
  next_cursor: string | null;
}

export interface Me {
  user_id: string;
  mode: "local" | "keys" | "jwt";
  is_admin: boolean;
}

/** Types of the HTTP API, generated from its schema. */
import type * as schema from "../../generated/schema";

export type {
  Analytics,
  ApiKey,
  AnswerCost,
  Atom,
  Chat,
  Comparison,
  Context,
  ContextIn,
  DayCost,
  DeletedCounts,
  FoundChats,
  Job,
  Me,
  Memory,
  MemoryEvent,
  MemoryIn,
  MemoryUpdate,
  Message,
  MessageIn,
  MessageToolCall,
  ModelVariant,
  NewApiKey,
  PurposeCost,
  ReceiptTotals,
  Summary,
  SummaryWithCoverage,
  SwitchCandidate,
  Switched,
  UiStreamEvent as StreamEvent,
} from "../../generated/schema";

export type Role = schema.Message["role"];
export type MessageStatus = schema.Message["status"];
export type MemoryType = schema.Memory["memory_type"];
export type Mode = schema.Receipt["mode"];
export type Section = schema.ReceiptItem["section"];

// These fields are not in openapi.json yet.
export interface SectionShare {
  section: Section;
  share: number;
  tokens: number;
  flowed: number;
}
export type ReceiptItem = schema.ReceiptItem & {
  conversation_id: string | null;
  start: number | null;
  end: number | null;
  title: string | null;
};
export type Receipt = Omit<schema.Receipt, "items"> & {
  items: readonly ReceiptItem[];
  sections: readonly SectionShare[];
  layout: "seed" | "cache";
  unchanged_tokens: number;
  cached_tokens: number | null;
};
export type RecallScope = "conversation" | "project" | "user";
export type Conversation = schema.Conversation & {
  project_id?: string | null;
  recall_scope?: RecallScope | null;
};
export type ConversationUpdate = schema.ConversationUpdate & {
  project_id?: string | null;
  recall_scope?: RecallScope | null;
};
export interface HitPassage {
  start: number;
  end: number;
  text: string;
  score: number;
}
export type Hit = schema.Hit & { passages?: readonly HitPassage[] };

export interface Page<T> {
  items: readonly T[];
  next_cursor: string | null;
}

/** A turn in the format of voice clients. */
export interface ConversationTurn {
  role: "user" | "model";
  parts: { text: string }[];
  thinking?: string;
}

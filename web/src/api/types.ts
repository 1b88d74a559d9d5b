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
  Conversation,
  ConversationUpdate,
  DayCost,
  DeletedCounts,
  FoundChats,
  Hit,
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
  PassageHit,
  PurposeCost,
  Receipt,
  ReceiptItem,
  ReceiptTotals,
  SectionShare,
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
export type RecallScope = NonNullable<schema.Conversation["recall_scope"]>;
export type Section = schema.ReceiptItem["section"];

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

/** What there is of an answer so far, part by part. Pure: the same parts give the same answer. */
import type { Part, ReceiptTotals } from "../api/stream";
import type { Message, MessageStatus } from "../api/types";

export interface ToolCall {
  id: string;
  tool_name: string;
  input: unknown;
  /** After how many characters of the text it was called. */
  at: number;
  output?: unknown;
  is_error?: boolean;
}

export interface Answer {
  messageId: string;
  content: string;
  thinking: string;
  tools: readonly ToolCall[];
  receipt: ReceiptTotals | null;
  status: MessageStatus;
  error: string | null;
}

export function emptyAnswer(messageId: string): Answer {
  return {
    messageId,
    content: "",
    thinking: "",
    tools: [],
    receipt: null,
    status: "streaming",
    error: null,
  };
}

export function applyPart(answer: Answer, part: Part): Answer {
  switch (part.type) {
    case "start":
      return emptyAnswer(part.messageId);
    case "data-receipt":
      return { ...answer, receipt: part.data };
    case "reasoning-delta":
      return { ...answer, thinking: answer.thinking + part.delta };
    case "text-delta":
      return { ...answer, content: answer.content + part.delta };
    case "tool-input-available":
      return {
        ...answer,
        tools: [
          ...answer.tools,
          {
            id: part.toolCallId,
            tool_name: part.toolName,
            input: part.input,
            at: answer.content.length,
          },
        ],
      };
    case "tool-output-available":
      return withOutput(answer, part.toolCallId, { output: part.output });
    case "tool-output-error":
      return withOutput(answer, part.toolCallId, { output: part.errorText, is_error: true });
    case "finish":
      return { ...answer, status: "complete" };
    case "abort":
      return { ...answer, status: "interrupted" };
    case "error":
      return { ...answer, status: "error", error: part.errorText };
  }
}

function withOutput(answer: Answer, id: string, result: Partial<ToolCall>): Answer {
  return {
    ...answer,
    tools: answer.tools.map((tool) => (tool.id === id ? { ...tool, ...result } : tool)),
  };
}

/** The stored row, with what has been heard of the answer since. */
export function overlay(message: Message, answer: Answer): Message {
  return {
    ...message,
    content: answer.content,
    thinking: answer.thinking === "" ? null : answer.thinking,
    tool_calls: answer.tools.length === 0 ? null : answer.tools.map((tool) => ({ ...tool })),
    status: answer.status,
    metadata: answer.error === null ? message.metadata : { ...message.metadata, error: answer.error },
  };
}

/** Whether the model had more to say than it may at once. */
export function wasCutShort({ role, metadata }: Pick<Message, "role" | "metadata">): boolean {
  return role === "assistant" && metadata["finish"] === "length";
}

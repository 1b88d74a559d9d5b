/** The state of a streaming answer, reduced from its events. */
import type { Message, MessageStatus, MessageToolCall, StreamEvent } from "../api/types";
import { codePointCount } from "./passages";

export interface Answer {
  messageId: string;
  content: string;
  thinking: string;
  tools: readonly MessageToolCall[];
  status: MessageStatus;
  error: string | null;
}

export function emptyAnswer(messageId: string): Answer {
  return {
    messageId,
    content: "",
    thinking: "",
    tools: [],
    status: "streaming",
    error: null,
  };
}

export function applyEvent(answer: Answer, event: StreamEvent): Answer {
  switch (event.type) {
    case "start":
      return emptyAnswer(event.messageId);
    case "reasoning-delta":
      return { ...answer, thinking: answer.thinking + event.delta };
    case "text-delta":
      return { ...answer, content: answer.content + event.delta };
    case "tool-input-available":
      return {
        ...answer,
        tools: [
          ...answer.tools,
          {
            id: event.toolCallId,
            tool_name: event.toolName,
            input: event.input,
            at: codePointCount(answer.content),
          },
        ],
      };
    case "tool-output-available":
      return withOutput(answer, event.toolCallId, { output: event.output });
    case "tool-output-error":
      return withOutput(answer, event.toolCallId, { output: event.errorText, is_error: true });
    case "finish":
      return { ...answer, status: "complete" };
    case "abort":
      return { ...answer, status: "interrupted" };
    case "error":
      return { ...answer, status: "error", error: event.errorText };
    default:
      return answer;
  }
}

function withOutput(answer: Answer, id: string, result: Partial<MessageToolCall>): Answer {
  return {
    ...answer,
    tools: answer.tools.map((tool) => (tool.id === id ? { ...tool, ...result } : tool)),
  };
}

/** Returns the stored message with the streamed content. */
export function mergeAnswer(message: Message, answer: Answer): Message {
  return {
    ...message,
    content: answer.content,
    thinking: answer.thinking === "" ? null : answer.thinking,
    tool_calls: answer.tools.length === 0 ? null : answer.tools,
    status: answer.status,
    metadata: answer.error === null ? message.metadata : { ...message.metadata, error: answer.error },
  };
}

/** Whether the model stopped at its length limit. */
export function wasTruncated({ role, metadata }: Pick<Message, "role" | "metadata">): boolean {
  return role === "assistant" && metadata["finish"] === "length";
}

import type { Message } from "../api/types";
import { viewToolCall, type ToolCallView } from "./toolCall";

type Segment =
  | { kind: "text"; text: string }
  | { kind: "tool"; call: ToolCallView; isRunning: boolean; isError: boolean };

/** An answer's text with the tools it called, each where it was called. */
export function segmentsOf({ content, tool_calls, status }: Message): Segment[] {
  const segments: Segment[] = [];
  let done = 0;
  for (const call of tool_calls ?? []) {
    const at = typeof call["at"] === "number" ? Math.min(call["at"], content.length) : done;
    if (at > done) segments.push({ kind: "text", text: content.slice(done, at) });
    done = Math.max(done, at);
    segments.push({
      kind: "tool",
      call: viewToolCall(call),
      isRunning: status === "streaming" && !("output" in call),
      isError: call["is_error"] === true,
    });
  }
  if (done < content.length) segments.push({ kind: "text", text: content.slice(done) });
  return segments;
}

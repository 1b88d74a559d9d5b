import type { Message } from "../api/types";
import { utf16Index } from "./passages";

type Segment =
  | {
      kind: "text";
      text: string;
      /** Its index in the content. */
      start: number;
    }
  | {
      kind: "tool";
      name: string;
      json: string;
      isRunning: boolean;
      /** Its index among the tool calls. */
      call: number;
    };

/** Splits a message into text and tool calls, each call at the code point where it was made. */
export function segmentsOf({ content, tool_calls, status }: Message): Segment[] {
  const segments: Segment[] = [];
  let offset = 0;
  for (const [index, call] of (tool_calls ?? []).entries()) {
    const at = typeof call.at === "number" ? utf16Index(content, call.at) : offset;
    if (at > offset) segments.push({ kind: "text", text: content.slice(offset, at), start: offset });
    offset = Math.max(offset, at);
    segments.push({
      kind: "tool",
      name: toolName(call) ?? "Tool",
      json: JSON.stringify(call, null, 2),
      isRunning: status === "streaming" && !("output" in call),
      call: index,
    });
  }
  if (offset < content.length) segments.push({ kind: "text", text: content.slice(offset), start: offset });
  return segments;
}

/** Finds the tool's name in the format of any provider. */
export function toolName(call: unknown): string | null {
  if (typeof call !== "object" || call === null) return null;
  const fields = call as Record<string, unknown>;
  for (const key of ["name", "toolName", "tool_name"]) {
    const name = fields[key];
    if (typeof name === "string" && name !== "") return name;
  }
  return toolName(fields["function"]) ?? toolName(fields["functionCall"]);
}

import type { Message } from "../api/types";

type Segment =
  | { kind: "text"; text: string }
  | { kind: "tool"; name: string; json: string; isRunning: boolean };

/** Splits a message into text and tool calls, each call at the offset where it was made. */
export function segmentsOf({ content, tool_calls, status }: Message): Segment[] {
  const segments: Segment[] = [];
  let offset = 0;
  for (const call of tool_calls ?? []) {
    const at = typeof call.at === "number" ? Math.min(call.at, content.length) : offset;
    if (at > offset) segments.push({ kind: "text", text: content.slice(offset, at) });
    offset = Math.max(offset, at);
    segments.push({
      kind: "tool",
      name: toolName(call) ?? "Tool",
      json: JSON.stringify(call, null, 2),
      isRunning: status === "streaming" && !("output" in call),
    });
  }
  if (offset < content.length) segments.push({ kind: "text", text: content.slice(offset) });
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

export interface ToolCallView {
  name: string;
  json: string;
}

/** Clients record tool calls in their provider's shape; all of them name the tool somewhere. */
export function viewToolCall(call: unknown): ToolCallView {
  return { name: nameOf(call) ?? "Tool", json: JSON.stringify(call, null, 2) };
}

function nameOf(call: unknown): string | null {
  if (typeof call !== "object" || call === null) return null;
  const fields = call as Record<string, unknown>;
  for (const key of ["name", "toolName", "tool_name"]) {
    const name = fields[key];
    if (typeof name === "string" && name !== "") return name;
  }
  return nameOf(fields["function"]) ?? nameOf(fields["functionCall"]);
}

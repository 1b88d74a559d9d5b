import { expect, it } from "vitest";
import { viewToolCall } from "./toolCall";

it.each([
  ["OpenAI", { id: "1", type: "function", function: { name: "weather", arguments: "{}" } }],
  ["Anthropic", { type: "tool_use", name: "weather", input: {} }],
  ["Gemini", { functionCall: { name: "weather", args: {} } }],
  ["the AI SDK", { toolName: "weather", args: {} }],
])("finds the name in the shape of %s", (_provider, call) => {
  expect(viewToolCall(call).name).toBe("weather");
});

it("shows a call it does not know as it is", () => {
  expect(viewToolCall("ls")).toEqual({ name: "Tool", json: '"ls"' });
});

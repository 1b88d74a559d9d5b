import { expect, it } from "vitest";
import type { Message } from "../api/types";
import { segmentsOf, toolName } from "./segments";

const message = (content: string, tool_calls: object[] | null, status = "complete") =>
  ({ content, tool_calls, status }) as Message;
const shape = (of: Message) =>
  segmentsOf(of).map((segment) => (segment.kind === "text" ? segment.text : `[${segment.name}]`));

it("puts each tool call where it was made", () => {
  const calls = [
    { tool_name: "weather", at: 5, output: "mild" },
    { tool_name: "trams", at: 5, output: "28" },
    { tool_name: "map", at: 9, output: "" },
  ];
  expect(shape(message("Look.Here.", calls))).toEqual(["Look.", "[weather]", "[trams]", "Here", "[map]", "."]);
});

it("counts code points, like the server", () => {
  expect(shape(message("🚋🚆 Here.", [{ tool_name: "map", at: 3 }]))).toEqual(["🚋🚆 ", "[map]", "Here."]);
});

it("puts a call without an offset first and limits the offset to the text", () => {
  expect(shape(message("Done.", [{ function: { name: "weather" } }]))).toEqual(["[weather]", "Done."]);
  expect(shape(message("Hm", [{ tool_name: "map", at: 99 }]))).toEqual(["Hm", "[map]"]);
  expect(shape(message("", null))).toEqual([]);
});

it("marks a running tool", () => {
  const [running] = segmentsOf(message("", [{ tool_name: "map", at: 0 }], "streaming"));
  expect(running).toMatchObject({ isRunning: true });
});

it.each([
  ["OpenAI", { id: "1", type: "function", function: { name: "weather", arguments: "{}" } }],
  ["Anthropic", { type: "tool_use", name: "weather", input: {} }],
  ["Gemini", { functionCall: { name: "weather", args: {} } }],
  ["the AI SDK", { toolName: "weather", args: {} }],
])("finds the tool name in the format of %s", (_provider, call) => {
  expect(toolName(call)).toBe("weather");
});

it("returns null for an unknown format", () => {
  expect(toolName("ls")).toBeNull();
});

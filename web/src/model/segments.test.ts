import { expect, it } from "vitest";
import type { Message } from "../api/types";
import { segmentsOf } from "./segments";

const message = (content: string, tool_calls: object[] | null, status = "complete") =>
  ({ content, tool_calls, status }) as Message;
const shape = (of: Message) =>
  segmentsOf(of).map((segment) => (segment.kind === "text" ? segment.text : `[${segment.call.name}]`));

it("puts each tool where it was called", () => {
  const calls = [
    { tool_name: "weather", at: 5, output: "mild" },
    { tool_name: "trams", at: 5, output: "28" },
    { tool_name: "map", at: 9, output: "" },
  ];
  expect(shape(message("Look.Here.", calls))).toEqual(["Look.", "[weather]", "[trams]", "Here", "[map]", "."]);
});

it("puts a tool of another provider's shape first, and survives a place beyond the end", () => {
  expect(shape(message("Done.", [{ function: { name: "weather" } }]))).toEqual(["[weather]", "Done."]);
  expect(shape(message("Hm", [{ tool_name: "map", at: 99 }]))).toEqual(["Hm", "[map]"]);
  expect(shape(message("", null))).toEqual([]);
});

it("knows a tool that is still at work", () => {
  const [running] = segmentsOf(message("", [{ tool_name: "map", at: 0 }], "streaming"));
  expect(running).toMatchObject({ isRunning: true, isError: false });
});

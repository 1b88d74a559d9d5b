import { afterEach, expect, it, vi } from "vitest";
import { runSwitchTool, switchTool } from "./switchTool";

afterEach(() => {
  vi.unstubAllGlobals();
});

function found(answer: object): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return Response.json(answer);
  });
  return asked;
}

const lisbon = { id: "c1", title: "Lisbon" };
const rome = { id: "c2", title: "Rome" };

it("tells a model what to pass on", () => {
  expect(switchTool.parameters.required).toEqual(["query"]);
  expect(Object.keys(switchTool.parameters.properties)).toEqual(["query"]);
});

it("switches where the match is clear", async () => {
  const candidates = [{ conversation: lisbon }, { conversation: rome }];
  const asked = found({ match: lisbon, candidates, needs_confirmation: false });
  const result = await runSwitchTool({ query: "torniamo al viaggio" });
  expect(asked).toEqual(["/api/switch?q=torniamo+al+viaggio"]);
  expect(result).toEqual({ outcome: "switch", conversation: lisbon, others: candidates.slice(1) });
});

it("asks which one is meant, or says that there is none", async () => {
  const candidates = [{ conversation: lisbon }, { conversation: rome }];
  found({ match: null, candidates, needs_confirmation: true });
  expect(await runSwitchTool({ query: "our trip" })).toEqual({ outcome: "ask", candidates });
  found({ match: null, candidates: [], needs_confirmation: false });
  expect(await runSwitchTool({ query: "our trip" })).toEqual({ outcome: "none" });
});

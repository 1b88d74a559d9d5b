import { afterEach, expect, it, vi } from "vitest";
import { runSwitchTool, switchTool } from "./switchTool";

afterEach(() => {
  vi.unstubAllGlobals();
});

function serve(answer: object): string[] {
  const requested: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    requested.push(path);
    return Response.json(answer);
  });
  return requested;
}

const lisbon = { id: "c1", title: "Lisbon" };
const rome = { id: "c2", title: "Rome" };

it("declares the query parameter", () => {
  expect(switchTool.parameters.required).toEqual(["query"]);
  expect(Object.keys(switchTool.parameters.properties)).toEqual(["query"]);
});

it("switches if the match is clear", async () => {
  const candidates = [{ conversation: lisbon }, { conversation: rome }];
  const requested = serve({ match: lisbon, candidates, needs_confirmation: false });
  const result = await runSwitchTool({ query: "torniamo al viaggio" });
  expect(requested).toEqual(["/api/switch?q=torniamo+al+viaggio"]);
  expect(result).toEqual({ outcome: "switch", conversation: lisbon, others: candidates.slice(1) });
});

it("asks if several match and reports if none does", async () => {
  const candidates = [{ conversation: lisbon }, { conversation: rome }];
  serve({ match: null, candidates, needs_confirmation: true });
  expect(await runSwitchTool({ query: "our trip" })).toEqual({ outcome: "ask", candidates });
  serve({ match: null, candidates: [], needs_confirmation: false });
  expect(await runSwitchTool({ query: "our trip" })).toEqual({ outcome: "none" });
});

import { describe, expect, it } from "vitest";
import type { Conversation, Hit } from "../api/types";
import type { SwitchResult } from "../session/switchTool";
import { isSentence, defaultSelection, paletteSections, moveSelection } from "./palette";

const conversation = (id: string, title: string | null, topic: string | null = null) =>
  ({ id, title, topic }) as Conversation;
const labels = {
  new: "New conversation",
  memories: "Memories",
  analytics: "Analytics",
  settings: "Settings",
};
const conversations = [conversation("l", "Viaggio a Lisbona"), conversation("r", "Città di Roma"), conversation("n", null)];
const sections = (text: string, answer: SwitchResult | null = null) =>
  paletteSections({ text, conversations, answer, messages: [], labels });
const keys = (text: string, answer: SwitchResult | null = null) =>
  Object.fromEntries(
    sections(text, answer).map(({ name, entries }) => [name, entries.map(({ key }) => key)]),
  );

describe("paletteSections", () => {
  it("starts with recent conversations and all pages", () => {
    expect(keys("")).toEqual({
      recent: ["l", "r", "n"],
      destinations: ["new", "memories", "analytics", "settings"],
    });
  });

  it("finds titles regardless of case and accents", () => {
    expect(keys("CITTA")).toEqual({ titles: ["r"] });
    expect(keys("memo")).toEqual({ destinations: ["memories"] });
  });

  it("searches topics too", () => {
    const sea = conversation("s", "Sea", "tides");
    const [titles] = paletteSections({ text: "tide", conversations: [sea], answer: null, messages: [], labels });
    expect(titles?.entries).toMatchObject([{ key: "s", description: "tides" }]);
  });

  it("lists the match of a sentence first and only once", () => {
    const match = conversation("l", "Viaggio a Lisbona");
    const clear: SwitchResult = { outcome: "switch", conversation: match, others: [] };
    expect(keys("a lisbona", clear)).toEqual({ match: ["l"] });
    const candidates = [{ conversation: conversation("r", null), passage: "Il Colosseo", score: 1 }];
    const asked = sections("quella del colosseo", { outcome: "ask", candidates });
    expect(asked).toMatchObject([{ name: "candidates", entries: [{ description: "Il Colosseo" }] }]);
  });
});

it("lists messages below the conversations, and selects none of them", () => {
  const hit = { id: "m", conversation_id: "r" } as Hit;
  const text = "quella del colosseo";
  const candidates = [{ conversation: conversation("r", null), passage: "Il Colosseo", score: 1 }];
  const listed = paletteSections({
    text,
    conversations,
    answer: { outcome: "ask", candidates },
    messages: [{ hit, conversation: conversations[1]! }],
    labels,
  });
  expect(listed.map(({ name }) => name)).toEqual(["candidates", "messages"]);
  expect(listed[1]?.entries).toMatchObject([{ key: "m", kind: "message" }]);
  expect(defaultSelection(text, listed)).toBeNull();
});

it("lists the runners-up below a clear match", () => {
  const others = [
    { conversation: conversation("r", "Città di Roma"), passage: "Il tram era pieno.", score: 0.2 },
    { conversation: conversation("n", null), passage: "A piedi.", score: 0.1 },
  ];
  const answer: SwitchResult = { outcome: "switch", conversation: conversation("l", null), others };
  const text = "quella sul tram di roma";
  const shown = sections(text, answer);
  expect(shown.map(({ name }) => name)).toEqual(["match", "others"]);
  expect(shown[1]?.entries[0]).toMatchObject({ key: "r", description: "Il tram era pieno." });
  expect(defaultSelection(text, shown)).toBe("l");
  expect(moveSelection(shown, "l", 1)).toBe("r");
  expect(moveSelection(shown, "r", 1)).toBe("n");
});

describe("defaultSelection", () => {
  it("is null for an empty text", () => {
    expect(defaultSelection("", sections(""))).toBeNull();
  });

  it("is the first matching title, else a page", () => {
    expect(defaultSelection("roma", sections("roma"))).toBe("r");
    expect(defaultSelection("sett", sections("sett"))).toBe("settings");
  });

  it("waits for the result of a sentence", () => {
    const text = "viaggio a lisbona";
    expect(defaultSelection(text, sections(text))).toBeNull();
    const answer: SwitchResult = {
      outcome: "switch",
      conversation: conversation("l", null),
      others: [],
    };
    expect(defaultSelection(text, sections(text, answer))).toBe("l");
  });

  it("is null if there are several candidates", () => {
    const candidates = [{ conversation: conversation("r", null), passage: "", score: 1 }];
    expect(defaultSelection("roma", sections("roma", { outcome: "ask", candidates }))).toBeNull();
  });
});

it("wraps around", () => {
  const shown = sections("");
  expect(moveSelection(shown, null, 1)).toBe("l");
  expect(moveSelection(shown, null, -1)).toBe("settings");
  expect(moveSelection(shown, "settings", 1)).toBe("l");
  expect(moveSelection(shown, "l", -1)).toBe("settings");
  expect(moveSelection(shown, "gone", 1)).toBe("l");
  expect(moveSelection([], null, 1)).toBeNull();
});

it("counts three words as a sentence", () => {
  expect(isSentence("torniamo a Lisbona")).toBe(true);
  expect(isSentence("リスボン旅行の話に戻ろう")).toBe(true);
  expect(isSentence("  Lisbon trip …! ")).toBe(false);
});

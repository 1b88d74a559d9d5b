import { describe, expect, it } from "vitest";
import type { Conversation } from "../api/types";
import type { SwitchResult } from "../session/switchTool";
import { isSentence, preselected, sectionsOf, step } from "./palette";

const talk = (id: string, title: string | null, topic: string | null = null) =>
  ({ id, title, topic }) as Conversation;
const labels = {
  new: "New conversation",
  memories: "Memories",
  analytics: "Analytics",
  settings: "Settings",
};
const conversations = [talk("l", "Viaggio a Lisbona"), talk("r", "Città di Roma"), talk("n", null)];
const sections = (text: string, answer: SwitchResult | null = null) =>
  sectionsOf({ text, conversations, answer, labels });
const keys = (text: string, answer: SwitchResult | null = null) =>
  Object.fromEntries(
    sections(text, answer).map(({ name, entries }) => [name, entries.map(({ key }) => key)]),
  );

describe("sectionsOf", () => {
  it("begins with the latest conversations and every place to go", () => {
    expect(keys("")).toEqual({
      recent: ["l", "r", "n"],
      destinations: ["new", "memories", "analytics", "settings"],
    });
  });

  it("finds titles whatever their case and accents, at once", () => {
    expect(keys("CITTA")).toEqual({ titles: ["r"] });
    expect(keys("memo")).toEqual({ destinations: ["memories"] });
  });

  it("finds what a conversation is about, too", () => {
    const sea = talk("s", "Sea", "tides");
    const [titles] = sectionsOf({ text: "tide", conversations: [sea], answer: null, labels });
    expect(titles?.entries).toMatchObject([{ key: "s", about: "tides" }]);
  });

  it("puts what a sentence found first, and shows it once", () => {
    const conversation = talk("l", "Viaggio a Lisbona");
    const clear: SwitchResult = { outcome: "switch", conversation, others: [] };
    expect(keys("a lisbona", clear)).toEqual({ match: ["l"] });
    const candidates = [{ conversation: talk("r", null), passage: "Il Colosseo", score: 1 }];
    const asked = sections("quella del colosseo", { outcome: "ask", candidates });
    expect(asked).toMatchObject([{ name: "candidates", entries: [{ about: "Il Colosseo" }] }]);
  });
});

it("leaves a way to the others below a clear match", () => {
  const others = [
    { conversation: talk("r", "Città di Roma"), passage: "Il tram era pieno.", score: 0.2 },
    { conversation: talk("n", null), passage: "A piedi.", score: 0.1 },
  ];
  const answer: SwitchResult = { outcome: "switch", conversation: talk("l", null), others };
  const text = "quella sul tram di roma";
  const shown = sections(text, answer);
  expect(shown.map(({ name }) => name)).toEqual(["match", "others"]);
  expect(shown[1]?.entries[0]).toMatchObject({ key: "r", about: "Il tram era pieno." });
  expect(preselected(text, shown)).toBe("l");
  expect(step(shown, "l", 1)).toBe("r");
  expect(step(shown, "r", 1)).toBe("n");
});

describe("preselected", () => {
  it("is nothing before a word is written", () => {
    expect(preselected("", sections(""))).toBeNull();
  });

  it("is the first title that a word or two name, or else a place", () => {
    expect(preselected("roma", sections("roma"))).toBe("r");
    expect(preselected("sett", sections("sett"))).toBe("settings");
  });

  it("waits for what a sentence asks for", () => {
    const text = "viaggio a lisbona";
    expect(preselected(text, sections(text))).toBeNull();
    const answer: SwitchResult = {
      outcome: "switch",
      conversation: talk("l", null),
      others: [],
    };
    expect(preselected(text, sections(text, answer))).toBe("l");
  });

  it("leaves a choice between several to the reader", () => {
    const candidates = [{ conversation: talk("r", null), passage: "", score: 1 }];
    expect(preselected("roma", sections("roma", { outcome: "ask", candidates }))).toBeNull();
  });
});

it("goes round the ends", () => {
  const shown = sections("");
  expect(step(shown, null, 1)).toBe("l");
  expect(step(shown, null, -1)).toBe("settings");
  expect(step(shown, "settings", 1)).toBe("l");
  expect(step(shown, "l", -1)).toBe("settings");
  expect(step(shown, "gone", 1)).toBe("l");
  expect(step([], null, 1)).toBeNull();
});

it("takes three words for a sentence", () => {
  expect(isSentence("torniamo a Lisbona")).toBe(true);
  expect(isSentence("リスボン旅行の話に戻ろう")).toBe(true);
  expect(isSentence("  Lisbon trip …! ")).toBe(false);
});

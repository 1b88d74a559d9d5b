/**
 * The entries of the palette, and which of them Enter takes when no arrow key has chosen one.
 *
 * A few words look for titles; a sentence is put to the server, which says which conversation it
 * asks for. Nothing is taken for the reader that is not clearly what they asked for: where the
 * server has to ask which one, they choose. What came close to a clear match stands below it, so that
 * a wrong one is no dead end.
 */
import type { Conversation, SwitchCandidate } from "../api/types";
import type { SwitchResult } from "../session/switchTool";

const destinations = ["new", "memories", "analytics", "settings"] as const;

type Destination = (typeof destinations)[number];

export type Entry =
  | { key: string; kind: "conversation"; conversation: Conversation; about: string | null }
  | { key: string; kind: "destination"; destination: Destination };

type SectionName = "match" | "others" | "candidates" | "titles" | "recent" | "destinations";

export interface Section {
  name: SectionName;
  entries: readonly Entry[];
}

interface Given {
  text: string;
  /** The latest conversations, or those that the server found by the text. */
  conversations: readonly Conversation[];
  answer: SwitchResult | null;
  labels: Record<Destination, string>;
}

const shownTitles = 6;

const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Long enough to say what a conversation was about; also where no spaces stand between words. */
export function isSentence(text: string): boolean {
  return [...words.segment(text)].filter(({ isWordLike }) => isWordLike).length >= 3;
}

export function sectionsOf({ text, conversations, answer, labels }: Given): Section[] {
  const found = answered(answer);
  const known = new Set(found.flatMap(({ entries }) => entries.map(({ key }) => key)));
  const titles = conversations
    .filter(({ title, topic }) => contains(`${title ?? ""}\n${topic ?? ""}`, text))
    .map((conversation) => entryOf(conversation, text.trim() === "" ? null : conversation.topic))
    .filter(({ key }) => !known.has(key))
    .slice(0, shownTitles);
  const places = destinations
    .filter((destination) => contains(labels[destination], text))
    .map((destination): Entry => ({ key: destination, kind: "destination", destination }));
  const sections: Section[] = [
    ...found,
    { name: text.trim() === "" ? "recent" : "titles", entries: titles },
    { name: "destinations", entries: places },
  ];
  return sections.filter(({ entries }) => entries.length > 0);
}

function answered(answer: SwitchResult | null): Section[] {
  switch (answer?.outcome) {
    case "switch":
      return [
        { name: "match", entries: [entryOf(answer.conversation, answer.conversation.topic)] },
        { name: "others", entries: answer.others.map(entryOfCandidate) },
      ];
    case "ask":
      return [{ name: "candidates", entries: answer.candidates.map(entryOfCandidate) }];
    default:
      return [];
  }
}

function entryOfCandidate({ conversation, passage }: SwitchCandidate): Entry {
  return entryOf(conversation, passage);
}

function entryOf(conversation: Conversation, about: string | null): Entry {
  return { key: conversation.id, kind: "conversation", conversation, about };
}

/** What Enter takes by itself: a clear match, or for a few words the first that they name. */
export function preselected(text: string, sections: readonly Section[]): string | null {
  const first = (name: SectionName) => sections.find((one) => one.name === name)?.entries[0]?.key;
  const match = first("match");
  if (match !== undefined) return match;
  if (text.trim() === "" || isSentence(text) || first("candidates") !== undefined) return null;
  return first("titles") ?? first("destinations") ?? null;
}

/** One entry on or back, round the ends; from nowhere to the first or the last. */
export function step(sections: readonly Section[], from: string | null, by: 1 | -1): string | null {
  const keys = sections.flatMap(({ entries }) => entries.map(({ key }) => key));
  const at = from === null ? -1 : keys.indexOf(from);
  const to = at === -1 ? (by === 1 ? 0 : keys.length - 1) : (at + by + keys.length) % keys.length;
  return keys[to] ?? null;
}

/** As the server's own filter has it: whatever the case and the accents. */
function contains(text: string, part: string): boolean {
  return folded(text).includes(folded(part.trim()));
}

function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * The entries of the command palette, and the one that Enter selects by default.
 *
 * A few words search titles; a sentence is sent to the server, which returns the matching
 * conversation or several candidates, and the messages that match. Candidates and messages are never
 * selected by default. Below a clear match are the runners-up.
 */
import type { Conversation, Hit, SwitchCandidate } from "../api/types";
import type { SwitchResult } from "../session/switchTool";
import { normalize } from "./normalize";

const destinations = ["new", "memories", "analytics", "settings"] as const;

type Destination = (typeof destinations)[number];

export type Entry =
  | { key: string; kind: "conversation"; conversation: Conversation; description: string | null }
  | { key: string; kind: "message"; found: FoundMessage }
  | { key: string; kind: "destination"; destination: Destination };

/** A message that matches a sentence, and its conversation. */
export interface FoundMessage {
  hit: Hit;
  conversation: Conversation;
}

type SectionName =
  | "match"
  | "others"
  | "candidates"
  | "messages"
  | "titles"
  | "recent"
  | "destinations";

export interface Section {
  name: SectionName;
  entries: readonly Entry[];
}

interface PaletteInput {
  text: string;
  /** The latest conversations, or the server's matches for the text. */
  conversations: readonly Conversation[];
  answer: SwitchResult | null;
  messages: readonly FoundMessage[];
  labels: Record<Destination, string>;
}

const MAX_TITLES = 6;

const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Whether a text has at least three words; also in languages without spaces. */
export function isSentence(text: string): boolean {
  return [...words.segment(text)].filter(({ isWordLike }) => isWordLike).length >= 3;
}

export function paletteSections(input: PaletteInput): Section[] {
  const { text, conversations, answer, messages, labels } = input;
  const results = resultSections(answer);
  const known = new Set(results.flatMap(({ entries }) => entries.map(({ key }) => key)));
  const titles = conversations
    .filter(({ title, topic }) => contains(`${title ?? ""}\n${topic ?? ""}`, text))
    .map((conversation) => conversationEntry(conversation, text.trim() === "" ? null : conversation.topic))
    .filter(({ key }) => !known.has(key))
    .slice(0, MAX_TITLES);
  const pages = destinations
    .filter((destination) => contains(labels[destination], text))
    .map((destination): Entry => ({ key: destination, kind: "destination", destination }));
  const found = messages.map((message): Entry => ({ key: message.hit.id, kind: "message", found: message }));
  const sections: Section[] = [
    ...results,
    { name: "messages", entries: found },
    { name: text.trim() === "" ? "recent" : "titles", entries: titles },
    { name: "destinations", entries: pages },
  ];
  return sections.filter(({ entries }) => entries.length > 0);
}

function resultSections(answer: SwitchResult | null): Section[] {
  switch (answer?.outcome) {
    case "switch":
      return [
        { name: "match", entries: [conversationEntry(answer.conversation, answer.conversation.topic)] },
        { name: "others", entries: answer.others.map(candidateEntry) },
      ];
    case "ask":
      return [{ name: "candidates", entries: answer.candidates.map(candidateEntry) }];
    default:
      return [];
  }
}

function candidateEntry({ conversation, passage }: SwitchCandidate): Entry {
  return conversationEntry(conversation, passage);
}

function conversationEntry(conversation: Conversation, description: string | null): Entry {
  return { key: conversation.id, kind: "conversation", conversation, description };
}

/** Returns the entry that Enter selects: a clear match, or the first title for a few words. */
export function defaultSelection(text: string, sections: readonly Section[]): string | null {
  const first = (name: SectionName) => sections.find((section) => section.name === name)?.entries[0]?.key;
  const match = first("match");
  if (match !== undefined) return match;
  if (text.trim() === "" || isSentence(text) || first("candidates") !== undefined) return null;
  return first("titles") ?? first("destinations") ?? null;
}

/** Returns the next or previous entry, wrapping around. */
export function moveSelection(sections: readonly Section[], from: string | null, by: 1 | -1): string | null {
  const keys = sections.flatMap(({ entries }) => entries.map(({ key }) => key));
  const at = from === null ? -1 : keys.indexOf(from);
  const to = at === -1 ? (by === 1 ? 0 : keys.length - 1) : (at + by + keys.length) % keys.length;
  return keys[to] ?? null;
}

function contains(text: string, part: string): boolean {
  return normalize(text).includes(normalize(part.trim()));
}

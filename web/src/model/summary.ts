/** A summary beside another one, and its exact values by kind. */
import type { Atom } from "../api/types";

export type AtomKind = Atom["kind"];

/** In which order the kinds are shown: what is looked up most, first. */
const order: readonly AtomKind[] = [
  "decision",
  "preference",
  "constraint",
  "date",
  "amount",
  "identifier",
  "name",
  "url",
  "path",
  "quote",
];

export function byKind(ledger: readonly Atom[]): { kind: AtomKind; atoms: readonly Atom[] }[] {
  return order
    .map((kind) => ({ kind, atoms: ledger.filter((atom) => atom.kind === kind) }))
    .filter(({ atoms }) => atoms.length > 0);
}

interface ValueChanges {
  added: readonly string[];
  removed: readonly string[];
}

export function compareValues(before: readonly Atom[], after: readonly Atom[]): ValueChanges {
  const values = (atoms: readonly Atom[]) => [...new Set(atoms.map((atom) => atom.value))];
  const [old, now] = [values(before), values(after)];
  return {
    added: now.filter((value) => !old.includes(value)),
    removed: old.filter((value) => !now.includes(value)),
  };
}

/** A piece of a text that was compared with another one. */
export interface DiffPart {
  kind: "same" | "added" | "removed";
  text: string;
}

/** The shape that the `diff` package answers with. */
interface Change {
  value: string;
  added: boolean;
  removed: boolean;
}

/**
 * What `diffWordsWithSpace` found, as whole phrases: where words on both sides of a space were
 * replaced, the space is no common ground. Both texts stay in it to the letter.
 */
export function partsOf(changes: readonly Change[]): DiffPart[] {
  const parts: DiffPart[] = [];
  let removed = "";
  let added = "";
  const flush = () => {
    if (removed !== "") parts.push({ kind: "removed", text: removed });
    if (added !== "") parts.push({ kind: "added", text: added });
    removed = added = "";
  };
  changes.forEach((change, at) => {
    if (change.removed) removed += change.value;
    else if (change.added) added += change.value;
    else if (removed && added && change.value.trim() === "" && at + 1 < changes.length) {
      removed += change.value;
      added += change.value;
    } else {
      flush();
      parts.push({ kind: "same", text: change.value });
    }
  });
  flush();
  return parts;
}

/** One side of a comparison: its own words, and which of them the other side lacks. */
export function sideOf(parts: readonly DiffPart[], side: "before" | "after"): DiffPart[] {
  const foreign = side === "before" ? "added" : "removed";
  return parts.filter((part) => part.kind !== foreign);
}

export function isUnchanged(parts: readonly DiffPart[]): boolean {
  return parts.every((part) => part.kind === "same");
}

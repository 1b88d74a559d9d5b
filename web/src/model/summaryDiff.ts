/** Comparison of two summaries, and grouping of exact values. */
import type { Atom } from "../api/types";

type AtomKind = Atom["kind"];

const KIND_ORDER: readonly AtomKind[] = [
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

export function groupByKind(ledger: readonly Atom[]): { kind: AtomKind; atoms: readonly Atom[] }[] {
  return KIND_ORDER
    .map((kind) => ({ kind, atoms: ledger.filter((atom) => atom.kind === kind) }))
    .filter(({ atoms }) => atoms.length > 0);
}

interface ValueChanges {
  added: readonly string[];
  removed: readonly string[];
}

export function compareValues(before: readonly Atom[], after: readonly Atom[]): ValueChanges {
  const values = (atoms: readonly Atom[]) => [...new Set(atoms.map((atom) => atom.value))];
  const [oldValues, newValues] = [values(before), values(after)];
  return {
    added: newValues.filter((value) => !oldValues.includes(value)),
    removed: oldValues.filter((value) => !newValues.includes(value)),
  };
}

export interface DiffPart {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Result type of the `diff` package. */
interface Change {
  value: string;
  added: boolean;
  removed: boolean;
}

/**
 * Joins the changes of `diffWordsWithSpace` into phrases: a space between two replaced words counts
 * as replaced too.
 */
export function toDiffParts(changes: readonly Change[]): DiffPart[] {
  const parts: DiffPart[] = [];
  let removed = "";
  let added = "";
  const flush = () => {
    if (removed !== "") parts.push({ kind: "removed", text: removed });
    if (added !== "") parts.push({ kind: "added", text: added });
    removed = added = "";
  };
  changes.forEach((change, index) => {
    if (change.removed) removed += change.value;
    else if (change.added) added += change.value;
    else if (removed && added && change.value.trim() === "" && index + 1 < changes.length) {
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

/** Returns the parts of one of the two texts. */
export function sideOf(parts: readonly DiffPart[], side: "before" | "after"): DiffPart[] {
  const otherKind = side === "before" ? "added" : "removed";
  return parts.filter((part) => part.kind !== otherKind);
}

export function isUnchanged(parts: readonly DiffPart[]): boolean {
  return parts.every((part) => part.kind === "same");
}

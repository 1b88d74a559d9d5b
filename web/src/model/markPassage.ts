/** Marks a range of Markdown source in the elements that are rendered from it. */
import type { TextRange } from "./passages";

/** A node of the HTML syntax tree (hast). */
interface Node {
  type: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  value?: string;
  children?: Node[];
  position?: { start: { offset?: number }; end: { offset?: number } } | undefined;
}

interface Options {
  source: string;
  range: TextRange;
}

/** A rehype plugin: wraps the text that was written in the range in `mark` elements. */
export function markPassage({ source, range }: Options): (tree: Node) => void {
  const mark = (parent: Node): void => {
    parent.children = parent.children?.flatMap((child) => {
      if (child.type !== "text") {
        mark(child);
        return [child];
      }
      return markText(child.value ?? "", child.position ?? parent.position, source, range) ?? [child];
    }) as Node[];
  };
  return (tree) => mark(tree);
}

/** Returns null if no part of the text is in the range. */
function markText(
  text: string,
  position: Node["position"],
  source: string,
  range: TextRange,
): Node[] | null {
  const [start, end] = [position?.start.offset, position?.end.offset];
  if (start === undefined || end === undefined || text.trim() === "") return null;
  // Behind the opening of a code span or block. Escapes are not found: then the start is close.
  const first = start + Math.max(0, source.slice(start, end).indexOf(text));
  const from = Math.min(Math.max(range.start - first, 0), text.length);
  const to = range.end >= end ? text.length : Math.min(range.end - first, text.length);
  if (from >= to) return null;
  const parts: Node[] = [
    { type: "text", value: text.slice(0, from) },
    {
      type: "element",
      tagName: "mark",
      properties: { className: ["passage"] },
      children: [{ type: "text", value: text.slice(from, to) }],
    },
    { type: "text", value: text.slice(to) },
  ];
  return parts.filter(({ value }) => value !== "");
}

import type { TextRange } from "../../model/passages";

/** A text with a part of it marked. */
export function MarkedText({ text, range }: { text: string; range: TextRange | null }) {
  if (range === null) return text;
  return (
    <>
      {text.slice(0, range.start)}
      <mark className="passage">{text.slice(range.start, range.end)}</mark>
      {text.slice(range.end)}
    </>
  );
}

import { Fragment } from "react";
import type { TextRange } from "../../model/passages";

interface Props {
  text: string;
  /** In their order; they do not overlap. */
  ranges: readonly TextRange[];
  className: string;
}

/** A text with parts of it marked. */
export function MarkedText({ text, ranges, className }: Props) {
  return (
    <>
      {ranges.map(({ start, end }, index) => (
        <Fragment key={start}>
          {text.slice(ranges[index - 1]?.end ?? 0, start)}
          <mark className={className}>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(ranges.at(-1)?.end ?? 0)}
    </>
  );
}

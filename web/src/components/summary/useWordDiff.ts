import { useEffect, useState } from "react";
import { partsOf, type DiffPart } from "../../model/summary";

/** The two texts compared word by word; nothing until the code that can do it is there. */
export function useWordDiff(before: string, after: string): readonly DiffPart[] | null {
  const [parts, setParts] = useState<readonly DiffPart[] | null>(null);

  useEffect(() => {
    let isWanted = true;
    import("diff").then(
      ({ diffWordsWithSpace }) => {
        if (isWanted) setParts(partsOf(diffWordsWithSpace(before, after)));
      },
      () => {
        // Without it, one text stands in the place of the other.
        const whole: DiffPart[] = [
          { kind: "removed", text: before },
          { kind: "added", text: after },
        ];
        if (isWanted) setParts(whole);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [before, after]);

  return parts;
}

import { useEffect, useState } from "react";
import { toDiffParts, type DiffPart } from "../../model/summaryDiff";

/** Compares two texts word by word; null until the diff library is loaded. */
export function useWordDiff(before: string, after: string): readonly DiffPart[] | null {
  const [parts, setParts] = useState<readonly DiffPart[] | null>(null);

  useEffect(() => {
    let isMounted = true;
    import("diff").then(
      ({ diffWordsWithSpace }) => {
        if (isMounted) setParts(toDiffParts(diffWordsWithSpace(before, after)));
      },
      () => {
        // The library failed to load: show both texts.
        const whole: DiffPart[] = [
          { kind: "removed", text: before },
          { kind: "added", text: after },
        ];
        if (isMounted) setParts(whole);
      },
    );
    return () => {
      isMounted = false;
    };
  }, [before, after]);

  return parts;
}

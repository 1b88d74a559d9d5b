import { useEffect, useMemo, useState } from "react";
import type { Memory } from "../../api/types";
import { categoriesOf } from "../../model/memoryFilter";
import { useSpeech } from "../../texts/texts";

/** The categories that have been seen so far: a filter must not take away the other choices. */
export function useCategories(memories: readonly Memory[]): readonly string[] {
  const { locale } = useSpeech();
  const [seen, setSeen] = useState<ReadonlyMap<string, Memory>>(new Map());

  useEffect(() => {
    setSeen((old) => new Map([...old, ...memories.map((one) => [one.id, one] as const)]));
  }, [memories]);

  return useMemo(() => categoriesOf(seen.values(), locale), [seen, locale]);
}

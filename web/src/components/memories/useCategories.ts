import { useEffect, useMemo, useState } from "react";
import type { Memory } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { listCategories } from "../../model/memoryFilter";

/** All categories loaded so far, because a filter must not remove the other options. */
export function useCategories(memories: readonly Memory[]): readonly string[] {
  const { locale } = useLocale();
  const [loaded, setLoaded] = useState<ReadonlyMap<string, Memory>>(new Map());

  useEffect(() => {
    setLoaded((old) => new Map([...old, ...memories.map((memory) => [memory.id, memory] as const)]));
  }, [memories]);

  return useMemo(() => listCategories(loaded.values(), locale), [loaded, locale]);
}

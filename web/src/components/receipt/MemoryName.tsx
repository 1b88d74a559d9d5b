import { useCallback } from "react";
import { getMemory } from "../../api/memories";
import { useResource } from "../../hooks/useResource";
import { useTexts } from "../../texts/texts";
import { Link } from "../ui/Link";
import { texts as receiptTexts } from "./texts";

/** A receipt has only the memory's id: what it says now is read, unless it is gone. */
export function MemoryName({ id }: { id: string }) {
  const texts = useTexts(receiptTexts);
  const { value, error } = useResource(
    useCallback((signal: AbortSignal) => getMemory(id, signal), [id]),
  );
  if (error?.isNotFound) return <span>{texts.memoryGone}</span>;
  return <Link href="/memories">{value?.content ?? texts.memory}</Link>;
}

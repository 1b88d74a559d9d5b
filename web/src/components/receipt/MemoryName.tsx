import { useCallback } from "react";
import { getMemory } from "../../api/memories";
import { useResource } from "../../hooks/useResource";
import { useTexts } from "../../texts/texts";
import { Link } from "../ui/Link";
import { texts as receiptTexts } from "./texts";

interface Props {
  id: string;
  /** When the answer was written: what the memory says may have been changed since. */
  at: string;
}

/** A receipt has only the memory's id: what it says now is read, unless it is gone. */
export function MemoryName({ id, at }: Props) {
  const texts = useTexts(receiptTexts);
  const { value, error } = useResource(
    useCallback((signal: AbortSignal) => getMemory(id, signal), [id]),
  );
  if (error?.isNotFound) return <span>{texts.memoryGone}</span>;
  const isChanged = value !== null && Date.parse(value.updated_at) > Date.parse(at);
  return (
    <>
      <Link href="/memories">{value?.content ?? texts.memory}</Link>
      {isChanged && <span className="hint"> ({texts.memoryChanged})</span>}
    </>
  );
}

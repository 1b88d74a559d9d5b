import { useEffect, useMemo, useRef, type ReactNode } from "react";
import type { Memory } from "../../api/types";
import type { Memories } from "../../hooks/useMemories";
import { useNow } from "../../hooks/useNow";
import { common } from "../../texts/common";
import { useSpeech, useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { Loading } from "../ui/Loading";
import { MoreButton } from "../ui/MoreButton";
import { MemoryItem, type MemoryActions } from "./MemoryItem";
import { texts as memoryTexts } from "./texts";
import { useKeptFocus } from "./useKeptFocus";

interface Props {
  memories: Memories;
  shown: readonly Memory[];
  highlighted: ReadonlySet<string>;
  actions: MemoryActions;
  /** Stands where there is nothing to show. */
  empty: ReactNode;
}

export function MemoryList({ memories, shown, highlighted, actions, empty }: Props) {
  const texts = useTexts(memoryTexts);
  const { loading } = useTexts(common);
  const { locale } = useSpeech();
  const now = useNow();
  const ids = useMemo(() => shown.map(({ id }) => id), [shown]);
  const { ref, onFocus } = useKeptFocus<HTMLUListElement>(ids);
  const { first, error, retry } = memories;

  const visited = useRef(highlighted);
  useEffect(() => {
    // They may be on their way from the server still.
    const item = ref.current?.querySelector<HTMLElement>(":scope > .highlighted");
    if (!item || visited.current === highlighted) return;
    visited.current = highlighted;
    item.focus();
  }, [highlighted, ids, ref]);

  if (first === "failed" && error) return <ErrorNote error={error} onRetry={retry} />;
  if (shown.length === 0) return first === "loading" ? <Loading label={loading} /> : empty;
  return (
    <div>
      <p className="visually-hidden" role="status">
        {texts.shown(shown.length, locale)}
      </p>
      <ul
        ref={ref}
        className="memory-list"
        aria-label={texts.title}
        aria-busy={first === "loading"}
        onFocus={onFocus}
      >
        {shown.map((memory) => (
          <MemoryItem
            key={memory.id}
            memory={memory}
            now={now}
            isHighlighted={highlighted.has(memory.id)}
            {...actions}
          />
        ))}
      </ul>
      <MoreButton paged={memories} label={texts.loadMore} />
    </div>
  );
}

import { useEffect, useMemo, useRef, type ReactNode } from "react";
import type { Memory } from "../../api/types";
import type { Memories } from "../../hooks/useMemories";
import { useNow } from "../../hooks/useNow";
import { useLocale } from "../../i18n/i18n";
import { ErrorMessage } from "../ui/ErrorMessage";
import { Loading } from "../ui/Loading";
import { LoadMoreButton } from "../ui/LoadMoreButton";
import { MemoryItem, type MemoryActions } from "./MemoryItem";
import { useMemoryTexts } from "./texts";
import { useListFocus } from "./useListFocus";

interface Props {
  memories: Memories;
  shown: readonly Memory[];
  highlighted: ReadonlySet<string>;
  actions: MemoryActions;
  /** Shown if there are no memories. */
  empty: ReactNode;
}

export function MemoryList({ memories, shown, highlighted, actions, empty }: Props) {
  const texts = useMemoryTexts();
  const { locale } = useLocale();
  const now = useNow();
  const ids = useMemo(() => shown.map(({ id }) => id), [shown]);
  const { ref, onFocus } = useListFocus<HTMLUListElement>(ids);
  const { status, error, retry } = memories;

  const lastFocused = useRef(highlighted);
  useEffect(() => {
    // They may not be loaded yet.
    const item = ref.current?.querySelector<HTMLElement>(":scope > .highlighted");
    if (!item || lastFocused.current === highlighted) return;
    lastFocused.current = highlighted;
    item.focus();
  }, [highlighted, ids, ref]);

  if (status === "failed" && error) return <ErrorMessage error={error} onRetry={retry} />;
  if (shown.length === 0) return status === "loading" ? <Loading /> : empty;
  return (
    <div>
      <p className="visually-hidden" role="status">
        {texts.shown(shown.length, locale)}
      </p>
      <ul
        ref={ref}
        className="memory-list"
        aria-label={texts.title}
        aria-busy={status === "loading"}
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
      <LoadMoreButton list={memories} label={texts.loadMore} />
    </div>
  );
}

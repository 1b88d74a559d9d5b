import { useEffect, useMemo, useRef } from "react";
import { listMemoryHistory } from "../../api/memories";
import type { Memory, MemoryEvent } from "../../api/types";
import type { Memories } from "../../hooks/useMemories";
import { usePaged, type Source } from "../../hooks/usePaged";
import { useSaving } from "../../hooks/useSaving";
import { undoable } from "../../model/memoryEvent";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { Dialog } from "../ui/Dialog";
import { ErrorNote } from "../ui/ErrorNote";
import { Icon } from "../ui/Icon";
import { Loading } from "../ui/Loading";
import { MoreButton } from "../ui/MoreButton";
import { HistoryEvent } from "./HistoryEvent";
import { texts as memoryTexts } from "./texts";

interface Props {
  memory: Memory;
  undoMemory: Memories["undoMemory"];
  onUndone: (memory: Memory) => void;
  onClose: () => void;
}

/** Every change of a memory, the last one first, which can be taken back. */
export function HistoryDialog({ memory: { id }, undoMemory, onUndone, onClose }: Props) {
  const texts = useTexts(memoryTexts);
  const { loading } = useTexts(common);
  const source = useMemo<Source<MemoryEvent>>(
    () => ({
      load: (cursor, signal) => listMemoryHistory(id, cursor, signal),
      isFarther: (event, than) => event.id < than.id,
    }),
    [id],
  );
  const history = usePaged(source);
  const events = history.listing.items;
  const last = undoable(events);
  const list = useRef<HTMLOListElement>(null);

  // With the last change to take back, the button that took it back goes.
  useEffect(() => {
    if (last === null && document.activeElement === document.body) list.current?.focus();
  }, [last]);

  const { isSaving, error, save } = useSaving(async () => {
    onUndone(await undoMemory(id));
    history.refresh();
  });

  return (
    <Dialog title={texts.historyTitle} onClose={onClose}>
      {history.first === "failed" && history.error && (
        <ErrorNote error={history.error} onRetry={history.retry} />
      )}
      {history.first === "loading" && <Loading label={loading} />}
      {events.length > 0 && (
        <ol ref={list} className="memory-history" tabIndex={-1}>
          {events.map((event) => (
            <HistoryEvent key={event.id} event={event} />
          ))}
        </ol>
      )}
      <MoreButton paged={history} label={texts.earlier} />
      {error && <ErrorNote error={error} />}
      {last && (
        <div className="actions">
          <button
            type="button"
            className="button"
            aria-disabled={isSaving}
            onClick={() => void save()}
          >
            <Icon name="undo" />
            {isSaving ? texts.undoing : texts.undoLast}
          </button>
        </div>
      )}
    </Dialog>
  );
}

import { useEffect, useMemo, useRef } from "react";
import { listMemoryHistory } from "../../api/memories";
import type { Memory, MemoryEvent } from "../../api/types";
import type { Memories } from "../../hooks/useMemories";
import { useMutation } from "../../hooks/useMutation";
import { usePagedList, type PageSource } from "../../hooks/usePagedList";
import { findUndoable } from "../../model/memoryEvent";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { ErrorMessage } from "../ui/ErrorMessage";
import { Icon } from "../ui/Icon";
import { Loading } from "../ui/Loading";
import { LoadMoreButton } from "../ui/LoadMoreButton";
import { HistoryEvent } from "./HistoryEvent";
import { useMemoryTexts } from "./texts";

interface Props {
  memory: Memory;
  undoMemory: Memories["undoMemory"];
  onUndone: (memory: Memory) => void;
  onClose: () => void;
}

export function HistoryDialog({ memory: { id }, undoMemory, onUndone, onClose }: Props) {
  const texts = useMemoryTexts();
  const source = useMemo<PageSource<MemoryEvent>>(
    () => ({
      load: (cursor, signal) => listMemoryHistory(id, cursor, signal),
      isAfter: (event, other) => event.id < other.id,
    }),
    [id],
  );
  const history = usePagedList(source);
  const events = history.listing.items;
  const last = findUndoable(events);
  const list = useRef<HTMLOListElement>(null);

  // The focused button disappears when there is nothing left to undo.
  useEffect(() => {
    if (last === null && document.activeElement === document.body) list.current?.focus();
  }, [last]);

  const { isPending, error, mutate } = useMutation(async () => {
    onUndone(await undoMemory(id));
    history.refresh();
  });

  return (
    <Dialog title={texts.historyTitle} onClose={onClose}>
      {history.status === "failed" && history.error && (
        <ErrorMessage error={history.error} onRetry={history.retry} />
      )}
      {history.status === "loading" && <Loading />}
      {events.length > 0 && (
        <ol ref={list} className="memory-history" tabIndex={-1}>
          {events.map((event) => (
            <HistoryEvent key={event.id} event={event} />
          ))}
        </ol>
      )}
      <LoadMoreButton list={history} label={texts.earlier} />
      {error && <ErrorMessage error={error} />}
      {last && (
        <div className="actions">
          <Button aria-disabled={isPending} onClick={() => void mutate()}>
            <Icon name="undo" />
            {isPending ? texts.undoing : texts.undoLast}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

import { useMemo } from "react";
import { Virtualizer } from "virtua";
import type { Chat } from "../../hooks/useChat";
import { useTranscriptScroll } from "../../hooks/useTranscriptScroll";
import { matchesAnchor } from "../../model/messageWindow";
import type { Passage } from "../../model/passages";
import { transcriptRows, type Row } from "../../model/transcriptRows";
import { Button } from "../ui/Button";
import { ErrorMessage } from "../ui/ErrorMessage";
import { Comparison } from "./Comparison";
import { DayDivider, SummaryDivider } from "./Dividers";
import { MessageItem } from "./MessageItem";
import { PendingQuestion } from "./PendingQuestion";
import { useChatTexts } from "./texts";
import type { MessageCommands } from "./useMessageCommands";

interface Props {
  chat: Chat;
  commands: MessageCommands;
  /** Id or sequence number of the message to scroll to. */
  anchor: string | null;
  /** The part of this message to mark. */
  passage: Passage | null;
  throughSeq: number;
  editingId: string | null;
  comparingId: string | null;
}

/** The messages. Only those on the screen are rendered. */
export function Transcript(props: Props) {
  const { chat, commands, anchor, passage, throughSeq, editingId, comparingId } = props;
  const texts = useChatTexts();
  const { messages, activeAnswer, hasNewer, loadFailure } = chat;

  const rows = useMemo(() => {
    const hasText = messages.some(({ id, content }) => id === activeAnswer?.messageId && content !== "");
    const replaced = hasText ? (activeAnswer?.replaces ?? null) : null;
    return transcriptRows(messages, { replaced, throughSeq, isEnd: !hasNewer });
  }, [messages, activeAnswer, throughSeq, hasNewer]);
  // The edited row stays mounted while the user scrolls.
  const editedRow = rows.findIndex(({ key }) => key === editingId);
  const { scroller, virtualizer, shift, onScroll, showPassage, isScrolledUp, scrollToLatest } =
    useTranscriptScroll(rows, chat, anchor);

  const renderRow = (row: Row) => {
    switch (row.kind) {
      case "day":
        return <DayDivider key={row.key} iso={row.iso} />;
      case "summary-end":
        return <SummaryDivider key={row.key} throughSeq={row.throughSeq} />;
      case "message": {
        const isHighlighted = anchor !== null && matchesAnchor(row.message, anchor);
        const isMarked = isHighlighted && passage !== null;
        return comparingId === row.message.id && row.earlier.length > 0 ? (
          <Comparison
            key={row.key}
            earlier={row.earlier.at(-1) ?? row.message}
            current={row.message}
            commands={commands}
          />
        ) : (
          <MessageItem
            key={row.key}
            message={row.message}
            isLast={row.isLast}
            hasEarlier={row.earlier.length > 0}
            isHighlighted={isHighlighted}
            passage={isMarked ? passage : null}
            onPassageShown={isMarked ? showPassage : null}
            isEditing={row.message.id === editingId}
            isBusy={chat.isBusy}
            commands={commands}
          />
        );
      }
    }
  };

  return (
    <div className="transcript-frame">
      <div
        ref={scroller}
        className="transcript"
        role="region"
        aria-label={texts.messages}
        tabIndex={0}
      >
        <div className="transcript-column">
          {loadFailure && (
            <ErrorMessage error={loadFailure.error} onRetry={loadFailure.retry ?? undefined} />
          )}
          <Virtualizer
            ref={virtualizer}
            scrollRef={scroller}
            shift={shift}
            keepMounted={editedRow < 0 ? [] : [editedRow]}
            onScroll={onScroll}
            data={rows}
          >
            {renderRow}
          </Virtualizer>
          {chat.pending && <PendingQuestion pending={chat.pending} isFailed={chat.failure !== null} />}
        </div>
      </div>
      {isScrolledUp && (
        <Button className="scroll-to-latest" onClick={scrollToLatest}>{texts.backToLatest}</Button>
      )}
    </div>
  );
}

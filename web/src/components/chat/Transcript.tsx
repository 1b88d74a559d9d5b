import { useMemo } from "react";
import { Virtualizer } from "virtua";
import type { Chat } from "../../hooks/useChat";
import { useTranscript } from "../../hooks/useTranscript";
import { isAt } from "../../model/place";
import { rowsOf, type Row } from "../../model/rows";
import { useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { Comparison } from "./Comparison";
import type { MessageCommands } from "./commands";
import { CoveredMark } from "./CoveredMark";
import { DayMark } from "./DayMark";
import { MessageItem } from "./MessageItem";
import { PendingQuestion } from "./PendingQuestion";
import { texts as chatTexts } from "./texts";

interface Props {
  chat: Chat;
  commands: MessageCommands;
  /** The message to go to, by its id or number. */
  place: string | null;
  throughSeq: number;
  editingId: string | null;
  comparingId: string | null;
}

/** What was said, as far as it is on the screen: a long history costs no more than a short one. */
export function Transcript(props: Props) {
  const { chat, commands, place, throughSeq, editingId, comparingId } = props;
  const texts = useTexts(chatTexts);
  const { messages, answering, hasNewer, loadFailure } = chat;

  const rows = useMemo(() => {
    const isBegun = messages.some(({ id, content }) => id === answering?.messageId && content !== "");
    const replaced = isBegun ? (answering?.replaces ?? null) : null;
    return rowsOf(messages, { replaced, throughSeq, isEnd: !hasNewer });
  }, [messages, answering, throughSeq, hasNewer]);
  // A row that is being written in stays, however far one scrolls.
  const kept = rows.findIndex(({ key }) => key === editingId);
  const { box, list, shift, onScroll, isAway, toEnd } = useTranscript(rows, chat, place);

  const show = (row: Row) => {
    switch (row.kind) {
      case "day":
        return <DayMark key={row.key} iso={row.iso} />;
      case "covered":
        return <CoveredMark key={row.key} throughSeq={row.throughSeq} />;
      case "message":
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
            isHighlighted={place !== null && isAt(row.message, place)}
            isEditing={row.message.id === editingId}
            isBusy={chat.isBusy}
            commands={commands}
          />
        );
    }
  };

  return (
    <div className="transcript-frame">
      <div
        ref={box}
        className="transcript"
        role="region"
        aria-label={texts.messages}
        tabIndex={0}
      >
        <div className="transcript-column">
          {loadFailure && (
            <ErrorNote error={loadFailure.error} onRetry={loadFailure.retry ?? undefined} />
          )}
          <Virtualizer
            ref={list}
            scrollRef={box}
            shift={shift}
            keepMounted={kept < 0 ? [] : [kept]}
            onScroll={onScroll}
            data={rows}
          >
            {show}
          </Virtualizer>
          {chat.pending && <PendingQuestion pending={chat.pending} isFailed={chat.failure !== null} />}
        </div>
      </div>
      {isAway && (
        <button type="button" className="button to-end" onClick={toEnd}>
          {texts.backToLatest}
        </button>
      )}
    </div>
  );
}

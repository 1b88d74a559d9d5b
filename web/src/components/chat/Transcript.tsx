import { useMemo } from "react";
import { Virtualizer } from "virtua";
import type { Chat } from "../../hooks/useChat";
import { useTranscript } from "../../hooks/useTranscript";
import { rowsOf, type Row } from "../../model/rows";
import { useTexts } from "../../texts/texts";
import { isAt } from "../../session/ChatSession";
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
  const { messages, answering } = chat;

  const rows = useMemo(() => {
    const isBegun = messages.some(({ id, content }) => id === answering?.messageId && content !== "");
    return rowsOf(messages, { replaced: isBegun ? (answering?.replaces ?? null) : null, throughSeq });
  }, [messages, answering, throughSeq]);
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
            isBusy={answering !== null}
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
          {chat.loadError && messages.length > 0 && (
            <ErrorNote error={chat.loadError} onRetry={() => void chat.loadOlder()} />
          )}
          <Virtualizer ref={list} scrollRef={box} shift={shift} onScroll={onScroll} data={rows}>
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

import { memo } from "react";
import type { Message } from "../../api/types";
import { wasCutShort } from "../../model/answer";
import { segmentsOf } from "../../model/segments";
import { clockTime, exactTime } from "../../model/time";
import { common } from "../../texts/common";
import { useSpeech, useTexts } from "../../texts/texts";
import { Fold } from "../ui/Fold";
import { Icon } from "../ui/Icon";
import { EditMessage } from "./EditMessage";
import type { MessageCommands } from "./commands";
import { Markdown } from "./Markdown";
import { MessageActions } from "./MessageActions";
import { texts as chatTexts } from "./texts";

interface Props {
  message: Message;
  /** An answer to the last question, which may be asked for again. */
  isLast: boolean;
  hasEarlier: boolean;
  isHighlighted: boolean;
  isEditing: boolean;
  /** Whether nothing can be asked just now. */
  isBusy: boolean;
  commands: MessageCommands;
}

export const MessageItem = memo(function MessageItem(props: Props) {
  const { message, isLast, hasEarlier, isHighlighted, isEditing, isBusy, commands } = props;
  const texts = useTexts(chatTexts);
  const { pinned, retry } = useTexts(common);
  const { locale } = useSpeech();
  const { seq, role, status, event_at } = message;
  return (
    <article
      className="message"
      data-message={seq}
      data-role={role}
      data-last={isLast || undefined}
      data-highlighted={isHighlighted || undefined}
      aria-label={texts.messageLabel(seq, texts.roles[role])}
      aria-busy={status === "streaming"}
      tabIndex={-1}
    >
      <header className="message-header">
        <span className="speaker">{texts.speakers[role]}</span>
        <time dateTime={event_at} title={exactTime(event_at, locale)}>
          {clockTime(event_at, locale)}
        </time>
        {message.is_pinned && (
          <span className="mark pinned">
            <Icon name="pin" />
            {pinned}
          </span>
        )}
        {status !== "complete" && (
          <span className="mark" data-status={status}>
            {texts.statuses[status]}
          </span>
        )}
      </header>
      {isEditing ? (
        <EditMessage message={message} isBusy={isBusy} commands={commands} />
      ) : (
        <MessageBody message={message} />
      )}
      {status === "error" && (
        <div className="error-note" role={isLast ? "alert" : undefined}>
          <p>{String(message.metadata["error"] ?? texts.statuses.error)}</p>
          {isLast && !isBusy && (
            <button type="button" className="button" onClick={() => commands.regenerate(message)}>
              {retry}
            </button>
          )}
        </div>
      )}
      {status !== "streaming" && !isEditing && (
        <MessageActions
          message={message}
          isLast={isLast}
          hasEarlier={hasEarlier}
          isBusy={isBusy}
          commands={commands}
        />
      )}
    </article>
  );
});

/** The words of a message, its thoughts and its tools. */
export function MessageBody({ message }: { message: Message }) {
  const texts = useTexts(chatTexts);
  const { role, content, thinking, status } = message;
  const isSpoken = role === "assistant";
  return (
    <>
      {thinking && (
        <Fold summary={texts.thinking}>
          <p className="text" dir="auto">
            {thinking}
          </p>
        </Fold>
      )}
      {segmentsOf(message).map((segment, index) =>
        segment.kind === "tool" ? (
          <Fold
            key={index}
            summary={
              texts.toolCall(segment.call.name) + (segment.isRunning ? ` (${texts.toolRunning})` : "")
            }
          >
            <pre className="text">{segment.call.json}</pre>
          </Fold>
        ) : isSpoken ? (
          <Markdown key={index} text={segment.text} />
        ) : (
          <p key={index} className="text" dir="auto">
            {segment.text}
          </p>
        ),
      )}
      {status === "streaming" && content === "" && (
        <span className="loading-dots" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
      )}
      {wasCutShort(message) && <p className="hint cut-short">{texts.cutShort}</p>}
    </>
  );
}

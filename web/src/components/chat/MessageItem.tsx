import { memo, useEffect, useMemo, useRef } from "react";
import type { Message } from "../../api/types";
import { useCommonTexts } from "../../i18n/common";
import { useLocale } from "../../i18n/i18n";
import { wasTruncated } from "../../model/answer";
import { clockTime, exactTime } from "../../model/dateFormat";
import { locatePassage, rangeWithin, type Passage, type TextRange } from "../../model/passages";
import { segmentsOf } from "../../model/segments";
import { Button } from "../ui/Button";
import { Collapsible } from "../ui/Collapsible";
import { Icon } from "../ui/Icon";
import { LoadingDots } from "../ui/Loading";
import { MarkedText } from "../ui/MarkedText";
import { EditMessage } from "./EditMessage";
import { Markdown } from "./Markdown";
import { MessageActions } from "./MessageActions";
import { useChatTexts } from "./texts";
import type { MessageCommands } from "./useMessageCommands";

interface Props {
  message: Message;
  isLast: boolean;
  hasEarlier: boolean;
  isHighlighted: boolean;
  /** The part of the message to mark. */
  passage: Passage | null;
  onPassageShown: ((mark: HTMLElement) => void) | null;
  isEditing: boolean;
  isBusy: boolean;
  commands: MessageCommands;
}

export const MessageItem = memo(function MessageItem(props: Props) {
  const { message, isLast, hasEarlier, isHighlighted, isEditing, isBusy, commands } = props;
  const { passage, onPassageShown } = props;
  const article = useRef<HTMLElement>(null);
  const texts = useChatTexts();
  const { pinned, retry } = useCommonTexts();
  const { locale } = useLocale();
  const { seq, role, status, event_at } = message;

  // After the transcript has begun to scroll to the message.
  useEffect(() => {
    const mark = article.current?.querySelector<HTMLElement>("mark.passage");
    if (mark) onPassageShown?.(mark);
  }, [passage, onPassageShown]);

  return (
    <article
      ref={article}
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
        <span className="author">{texts.authors[role]}</span>
        <time dateTime={event_at} title={exactTime(event_at, locale)}>
          {clockTime(event_at, locale)}
        </time>
        {message.is_pinned && (
          <span className="badge pinned">
            <Icon name="pin" />
            {pinned}
          </span>
        )}
        {status !== "complete" && (
          <span className="badge" data-status={status}>
            {texts.statuses[status]}
          </span>
        )}
      </header>
      {isEditing ? (
        <EditMessage message={message} isBusy={isBusy} commands={commands} />
      ) : (
        <MessageBody message={message} passage={passage} />
      )}
      {status === "error" && (
        <div className="error-message" role={isLast ? "alert" : undefined}>
          <p>{String(message.metadata["error"] ?? texts.statuses.error)}</p>
          {isLast && !isBusy && (
            <Button onClick={() => commands.regenerate(message)}>{retry}</Button>
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

/** The text, reasoning and tool calls of a message. */
export function MessageBody({ message, passage = null }: { message: Message; passage?: Passage | null }) {
  const texts = useChatTexts();
  const marked = useMemo(() => passage && locatePassage(message, passage), [message, passage]);
  const markedIn = (start: number, { length }: string) =>
    marked?.content ? rangeWithin(marked.content, start, length) : null;
  const { role, content, thinking, status } = message;
  const isMarkdown = role === "assistant";
  return (
    <>
      {thinking && (
        <Collapsible summary={texts.thinking}>
          <p className="text" dir="auto">
            {thinking}
          </p>
        </Collapsible>
      )}
      {segmentsOf(message).map((segment, index) =>
        segment.kind === "tool" ? (
          <Collapsible
            key={index}
            summary={
              texts.toolCall(segment.name) + (segment.isRunning ? ` (${texts.toolRunning})` : "")
            }
            isOpen={marked?.results.has(segment.call)}
          >
            <pre className="text">
              <MarkedText
                text={segment.json}
                ranges={rangeInJson(segment.json, marked?.results.get(segment.call))}
                className="passage"
              />
            </pre>
          </Collapsible>
        ) : isMarkdown ? (
          <Markdown
            key={index}
            text={segment.text}
            marked={markedIn(segment.start, segment.text)}
          />
        ) : (
          <p key={index} className="text" dir="auto">
            <MarkedText
              text={segment.text}
              ranges={toList(markedIn(segment.start, segment.text))}
              className="passage"
            />
          </p>
        ),
      )}
      {status === "streaming" && content === "" && <LoadingDots />}
      {wasTruncated(message) && <p className="hint truncation-note">{texts.truncated}</p>}
    </>
  );
}

function toList(range: TextRange | null): TextRange[] {
  return range ? [range] : [];
}

/** Returns where a part of a result stands in its JSON; all of it if it is formatted differently. */
function rangeInJson(json: string, part: string | undefined): TextRange[] {
  if (part === undefined) return [];
  const quoted = JSON.stringify(part).slice(1, -1);
  const start = json.indexOf(quoted);
  return [start < 0 ? { start: 0, end: json.length } : { start, end: start + quoted.length }];
}

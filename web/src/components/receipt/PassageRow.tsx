import type { Message, ReceiptItem } from "../../api/types";
import { useCommonTexts } from "../../i18n/common";
import { useLocale } from "../../i18n/i18n";
import { calendarDay } from "../../model/dateFormat";
import { passageText } from "../../model/passages";
import { parseSource, type PassageSource } from "../../model/receipt";
import { MessageLink } from "./MessageLink";
import { Outcome, Reason, Tokens } from "./ReceiptItemRow";
import { useReceiptTexts } from "./texts";

interface Props {
  item: ReceiptItem;
  source: PassageSource;
  /** Null if it was deleted, undefined if it is not loaded. */
  message: Message | null | undefined;
  answer: Message;
  /** Without the outcome and reason, which the group shows. */
  isBrief?: boolean;
  includesHeading?: boolean;
}

/** A retrieved passage: its text, who said it and when, and a link to its place in the message. */
export function PassageRow(props: Props) {
  const { item, source, message, answer, isBrief = false, includesHeading = false } = props;
  const texts = useReceiptTexts();
  const { untitled } = useCommonTexts();
  const { locale } = useLocale();
  const isElsewhere = source.conversationId !== answer.conversation_id;
  const said = parseSource(item);
  const seq = said.kind === "message" ? said.seq.toLocaleString(locale) : "";
  const role = said.kind === "message" ? said.role : null;
  const speaker = message && typeof message.metadata["speaker"] === "string" ? message.metadata["speaker"] : null;
  const name = isElsewhere
    ? texts.messageElsewhere(item.title?.trim() || untitled, seq)
    : texts.message(seq);
  return (
    <li className="receipt-item" data-outcome={item.outcome}>
      <div className="receipt-item-line">
        <span>
          {message === null ? (
            <span>{name}</span>
          ) : (
            <MessageLink
              conversationId={source.conversationId}
              anchor={source.messageId}
              passage={{ start: source.start, end: source.end }}
              panel={isElsewhere ? null : "seen"}
            >
              {name}
            </MessageLink>
          )}
          <span className="hint">
            {role && `, ${speaker ?? texts.roles[role] ?? role}`}
            {message && `, ${calendarDay(message.event_at, locale)}`}
          </span>
        </span>
        <Tokens amount={item.tokens} outcome={item.outcome} />
      </div>
      {message && (
        <blockquote className="receipt-quote" dir="auto">
          {passageText(message, source)}
        </blockquote>
      )}
      {message === null && <p className="receipt-item-reason">{texts.messageGone}</p>}
      {!isBrief && (
        <p className="receipt-item-reason">
          <Outcome outcome={item.outcome} /> <Reason reason={item.reason} />
          {includesHeading && ` ${texts.withHeading}`}
        </p>
      )}
    </li>
  );
}

import type { Message } from "../../api/types";
import { useReceipt } from "../../hooks/useReceipt";
import { useCommonTexts } from "../../i18n/common";
import { useLocale } from "../../i18n/i18n";
import { IconButton } from "../ui/IconButton";
import { MessageBody } from "./MessageItem";
import { RatingButtons } from "./RatingButtons";
import { useChatTexts } from "./texts";
import type { MessageCommands } from "./useMessageCommands";

interface Props {
  earlier: Message;
  current: Message;
  commands: MessageCommands;
}

/** Two answers to one question side by side, with their contexts. */
export function Comparison({ earlier, current, commands }: Props) {
  const texts = useChatTexts();
  const { close } = useCommonTexts();
  return (
    <section className="comparison" aria-label={texts.comparison}>
      <header className="comparison-header">
        <h2>{texts.comparison}</h2>
        <IconButton icon="close" label={close} onClick={() => commands.compare(null)} />
      </header>
      <Side title={texts.earlierAnswer} message={earlier} commands={commands} />
      <Side title={texts.newAnswer} message={current} commands={commands} />
    </section>
  );
}

function Side({ title, message, commands }: { title: string; message: Message; commands: MessageCommands }) {
  const texts = useChatTexts();
  const { locale } = useLocale();
  const isDone = message.status !== "streaming";
  const receipt = useReceipt(message).value;
  return (
    <article className="comparison-side" aria-label={title}>
      <header className="message-header">
        <span className="author">{title}</span>
        {receipt && (
          <span className="tag">
            {receipt.mode === "full" ? texts.fullContext : texts.compressed} ·{" "}
            {texts.tokens(receipt.tokens, locale)}
          </span>
        )}
      </header>
      <MessageBody message={message} />
      {isDone && (
        <div className="message-actions">
          <RatingButtons message={message} commands={commands} />
        </div>
      )}
    </article>
  );
}

import type { Message } from "../../api/types";
import { useReceipt } from "../../hooks/useReceipt";
import { common } from "../../texts/common";
import { useSpeech, useTexts } from "../../texts/texts";
import { IconButton } from "../ui/IconButton";
import type { MessageCommands } from "./commands";
import { MessageBody } from "./MessageItem";
import { Rating } from "./Rating";
import { texts as chatTexts } from "./texts";

interface Props {
  earlier: Message;
  current: Message;
  commands: MessageCommands;
}

/** Two answers to one question, each with what the model was shown for it. */
export function Comparison({ earlier, current, commands }: Props) {
  const texts = useTexts(chatTexts);
  const { close } = useTexts(common);
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
  const texts = useTexts(chatTexts);
  const { locale } = useSpeech();
  const isDone = message.status !== "streaming";
  const receipt = useReceipt(message).value;
  return (
    <article className="comparison-side" aria-label={title}>
      <header className="message-header">
        <span className="speaker">{title}</span>
        {receipt && (
          <span className="tag">
            {receipt.mode === "full" ? texts.fullContext : texts.showCompressed} ·{" "}
            {texts.tokens(receipt.tokens, locale)}
          </span>
        )}
      </header>
      <MessageBody message={message} />
      {isDone && (
        <div className="message-actions">
          <Rating message={message} commands={commands} />
        </div>
      )}
    </article>
  );
}

import type { Message, ReceiptItem } from "../../api/types";
import { conversationPath } from "../../hooks/useRoute";
import { sourceOf } from "../../model/receipt";
import { useSpeech, useTexts } from "../../texts/texts";
import { Link } from "../ui/Link";
import { MemoryName } from "./MemoryName";
import { MessageLink } from "./MessageLink";
import { texts as receiptTexts } from "./texts";

interface Props {
  item: ReceiptItem;
  answer: Message;
}

/** What an item is, in the reader's words, with a way to it where there is one. */
export function SourceName({ item, answer }: Props) {
  const texts = useTexts(receiptTexts);
  const { locale } = useSpeech();
  const say = (number: number) => number.toLocaleString(locale);
  const { conversation_id: conversationId, created_at: at } = answer;
  const source = sourceOf(item);

  switch (source.kind) {
    case "message":
      return (
        <span>
          <MessageLink
            conversationId={conversationId}
            place={item.message_id ?? String(source.seq)}
            panel="seen"
          >
            {texts.message(say(source.seq))}
          </MessageLink>
          {source.role && <span className="hint">, {texts.roles[source.role] ?? source.role}</span>}
        </span>
      );
    case "messages":
      return (
        <MessageLink conversationId={conversationId} place={String(source.first)} panel="seen">
          {texts.messages(say(source.first), say(source.last))}
        </MessageLink>
      );
    case "summary":
    case "ledger": {
      const words = source.kind === "summary" ? texts.summary : texts.summaryValues;
      return (
        <Link href={conversationPath(conversationId, { panel: "summary" })}>
          {words(say(source.version))}
        </Link>
      );
    }
    case "memory":
      return <MemoryName id={source.id} at={at} />;
    case "context":
      return <span>{source.name}</span>;
    case "system":
      return <span>{texts.systemPrompt}</span>;
    case "question":
      return <span>{texts.question}</span>;
    case "meaning":
      return <span>{texts.searchByMeaning}</span>;
    case "other":
      return <span>{source.text}</span>;
  }
}

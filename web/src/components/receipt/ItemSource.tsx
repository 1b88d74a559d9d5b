import { useCallback } from "react";
import { getMemory } from "../../api/memories";
import type { Message, ReceiptItem } from "../../api/types";
import { useResource } from "../../hooks/useResource";
import { conversationPath } from "../../hooks/useRoute";
import { useLocale } from "../../i18n/i18n";
import { parseSource } from "../../model/receipt";
import { Link } from "../ui/Link";
import { MessageLink } from "./MessageLink";
import { useReceiptTexts } from "./texts";

interface Props {
  item: ReceiptItem;
  answer: Message;
}

/** The translated name of an item's source, with a link if there is one. */
export function ItemSource({ item, answer }: Props) {
  const texts = useReceiptTexts();
  const { locale } = useLocale();
  const format = (number: number) => number.toLocaleString(locale);
  const { conversation_id: conversationId, created_at: answeredAt } = answer;
  const source = parseSource(item);

  switch (source.kind) {
    case "message":
      return (
        <span>
          <MessageLink
            conversationId={conversationId}
            anchor={item.message_id ?? String(source.seq)}
            panel="seen"
          >
            {texts.message(format(source.seq))}
          </MessageLink>
          {source.role && <span className="hint">, {texts.roles[source.role] ?? source.role}</span>}
        </span>
      );
    case "messages":
      return (
        <MessageLink conversationId={conversationId} anchor={String(source.first)} panel="seen">
          {texts.messages(format(source.first), format(source.last))}
        </MessageLink>
      );
    case "summary":
    case "ledger": {
      const name = source.kind === "summary" ? texts.summary : texts.summaryValues;
      return (
        <Link href={conversationPath(conversationId, { panel: "summary" })}>
          {name(format(source.version))}
        </Link>
      );
    }
    case "memory":
      return <MemoryLink id={source.id} answeredAt={answeredAt} />;
    case "context":
      return <span>{source.name}</span>;
    case "system":
      return <span>{texts.systemPrompt}</span>;
    case "date":
      return <span>{texts.currentDate}</span>;
    case "note":
      return <span>{texts.dataNote}</span>;
    case "question":
      return <span>{texts.question}</span>;
    case "meaning":
      return <span>{texts.searchByMeaning}</span>;
    case "other":
      return <span>{source.text}</span>;
  }
}

/** A receipt only has the memory's id, so its current text is loaded. */
function MemoryLink({ id, answeredAt }: { id: string; answeredAt: string }) {
  const texts = useReceiptTexts();
  const { value, error } = useResource(
    useCallback((signal: AbortSignal) => getMemory(id, signal), [id]),
  );
  if (error?.isNotFound) return <span>{texts.memoryGone}</span>;
  const isChanged = value !== null && Date.parse(value.updated_at) > Date.parse(answeredAt);
  return (
    <>
      <Link href="/memories">{value?.content ?? texts.memory}</Link>
      {isChanged && <span className="hint"> ({texts.memoryChanged})</span>}
    </>
  );
}

import type { Message } from "../../api/types";
import { useReceipt } from "../../hooks/useReceipt";
import { EmptyState } from "../ui/EmptyState";
import { ErrorMessage } from "../ui/ErrorMessage";
import { Loading } from "../ui/Loading";
import { ReceiptView } from "./ReceiptView";
import { useReceiptTexts } from "./texts";

interface Props {
  /** Null before the first answer. */
  answer: Message | null;
}

export default function ReceiptPanel({ answer }: Props) {
  const texts = useReceiptTexts();
  if (answer === null) {
    return <EmptyState isInline title={texts.noAnswer} hints={[texts.noAnswerHint]} />;
  }
  if (answer.status === "streaming") {
    return <EmptyState isInline title={texts.notYet} hints={[texts.notYetHint]} />;
  }
  return <AnswerReceipt answer={answer} />;
}

function AnswerReceipt({ answer }: { answer: Message }) {
  const texts = useReceiptTexts();
  const { value: receipt, error, isLoading, reload } = useReceipt(answer);

  if (receipt) return <ReceiptView receipt={receipt} answer={answer} />;
  if (isLoading) return <Loading />;
  if (error) return <ErrorMessage error={error} onRetry={reload} />;
  return <EmptyState isInline title={texts.noReceipt} hints={[texts.noReceiptHint]} />;
}

import type { Message } from "../../api/types";
import { useReceipt } from "../../hooks/useReceipt";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { Loading } from "../ui/Loading";
import { Nothing } from "../ui/Nothing";
import { ReceiptView } from "./ReceiptView";
import { texts as receiptTexts } from "./texts";

interface Props {
  /** The answer whose receipt is shown; none before the first answer. */
  answer: Message | null;
}

/** What the model was given to read for an answer, and why. */
export default function SeenPanel({ answer }: Props) {
  const texts = useTexts(receiptTexts);
  if (answer === null) {
    return <Nothing isPart title={texts.noAnswer} hints={[texts.noAnswerHint]} />;
  }
  if (answer.status === "streaming") {
    return <Nothing isPart title={texts.notYet} hints={[texts.notYetHint]} />;
  }
  return <Seen answer={answer} />;
}

function Seen({ answer }: { answer: Message }) {
  const texts = useTexts(receiptTexts);
  const { loading } = useTexts(common);
  const { value: receipt, error, isLoading, reload } = useReceipt(answer);

  if (receipt) return <ReceiptView receipt={receipt} answer={answer} />;
  if (isLoading) return <Loading label={loading} />;
  if (error) return <ErrorNote error={error} onRetry={reload} />;
  return <Nothing isPart title={texts.noReceipt} hints={[texts.noReceiptHint]} />;
}

import { useMemo } from "react";
import type { Conversation } from "../../api/types";
import { useDeletion } from "../../hooks/useDeletion";
import { useNavigation } from "../../hooks/useRoute";
import { useSpeech, useTexts } from "../../texts/texts";
import { texts as chatTexts } from "../chat/texts";
import { texts as welcomeTexts } from "./texts";

interface Props {
  conversation: Conversation;
  /** Asks a question that shows what memory is for; none while an answer is being written. */
  onAsk: ((question: string) => void) | null;
}

/** Says that a conversation is the sample, what to try with it, and takes it away again. */
export function SampleBar({ conversation, onAsk }: Props) {
  const texts = useTexts(welcomeTexts);
  const { deleted, deletedReceipt } = useTexts(chatTexts);
  const { locale } = useSpeech();
  const { navigate } = useNavigation();
  const remove = useDeletion(
    useMemo(
      () => ({ deleted, receipt: (counts) => deletedReceipt(counts, locale) }),
      [deleted, deletedReceipt, locale],
    ),
  );
  return (
    <div className="sample-bar">
      <p>{texts.sampleNote}</p>
      <button
        type="button"
        className="button small"
        aria-disabled={onAsk === null}
        onClick={() => onAsk?.(texts.sampleQuestion)}
      >
        {texts.sampleAsk}
      </button>
      <button
        type="button"
        className="button quiet small"
        onClick={() => {
          remove(conversation);
          navigate("/");
        }}
      >
        {texts.sampleRemove}
      </button>
    </div>
  );
}

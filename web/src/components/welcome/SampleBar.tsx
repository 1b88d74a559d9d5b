import { useMemo } from "react";
import type { Conversation } from "../../api/types";
import { useDeleteConversation } from "../../hooks/useDeleteConversation";
import { useNavigation } from "../../hooks/useRoute";
import { useLocale } from "../../i18n/i18n";
import { useChatTexts } from "../chat/texts";
import { Button } from "../ui/Button";
import { useWelcomeTexts } from "./texts";

interface Props {
  conversation: Conversation;
  /** Null while an answer is running. */
  onAsk: ((question: string) => void) | null;
}

/** Explains the sample conversation, and removes it. */
export function SampleBar({ conversation, onAsk }: Props) {
  const texts = useWelcomeTexts();
  const { deleted, deletedReceipt } = useChatTexts();
  const { locale } = useLocale();
  const { navigate } = useNavigation();
  const remove = useDeleteConversation(
    useMemo(
      () => ({ deleted, receipt: (counts) => deletedReceipt(counts, locale) }),
      [deleted, deletedReceipt, locale],
    ),
  );
  return (
    <div className="sample-bar">
      <p>{texts.sampleNote}</p>
      <Button
        className="small"
        aria-disabled={onAsk === null}
        onClick={() => onAsk?.(texts.sampleQuestion)}
      >
        {texts.sampleAsk}
      </Button>
      <Button
        className="quiet small"
        onClick={() => {
          remove(conversation);
          navigate("/");
        }}
      >
        {texts.sampleRemove}
      </Button>
    </div>
  );
}

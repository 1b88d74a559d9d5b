import { useEffect, useRef } from "react";
import { useCommonTexts } from "../../i18n/common";
import { currentConversation, type Extraction } from "../../model/extraction";
import { titleOrTopic } from "../../model/title";
import { Button } from "../ui/Button";
import { useMemoryTexts } from "./texts";

interface Props {
  run: Extraction;
  onCancel: () => void;
}

export function ExtractionProgress({ run, onCancel }: Props) {
  const texts = useMemoryTexts();
  const { untitled } = useCommonTexts();
  const conversation = currentConversation(run);
  const cancelButton = useRef<HTMLButtonElement>(null);

  // The focused start button disappeared.
  useEffect(() => cancelButton.current?.focus(), []);

  return (
    <>
      <div className="extract-progress">
        <p role="status">
          {texts.extractingFrom((conversation && titleOrTopic(conversation)) ?? untitled)}
          <span className="extract-count">{texts.progress(run.doneCount, run.queue.length)}</span>
        </p>
        <progress aria-label={texts.extract} value={run.doneCount} max={run.queue.length} />
      </div>
      <div className="actions">
        <Button ref={cancelButton} onClick={onCancel}>{texts.stop}</Button>
      </div>
    </>
  );
}

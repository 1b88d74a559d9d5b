import { useEffect, useRef } from "react";
import { current, type Extraction } from "../../model/extraction";
import { nameOf } from "../../model/title";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { texts as memoryTexts } from "./texts";

interface Props {
  run: Extraction;
  onCancel: () => void;
}

export function ExtractionProgress({ run, onCancel }: Props) {
  const texts = useTexts(memoryTexts);
  const { untitled } = useTexts(common);
  const conversation = current(run);
  const cancel = useRef<HTMLButtonElement>(null);

  // The button that started it is gone.
  useEffect(() => cancel.current?.focus(), []);

  return (
    <>
      <div className="extract-progress">
        <p role="status">
          {texts.reading((conversation && nameOf(conversation)) ?? untitled)}
          <span className="extract-count">{texts.progress(run.read, run.queue.length)}</span>
        </p>
        <progress aria-label={texts.extract} value={run.read} max={run.queue.length} />
      </div>
      <div className="actions">
        <button ref={cancel} type="button" className="button" onClick={onCancel}>
          {texts.stopReading}
        </button>
      </div>
    </>
  );
}

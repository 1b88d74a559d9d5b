import { useEffect, useRef } from "react";
import type { Conversation } from "../../api/types";
import { isChanged, type Extraction } from "../../model/extraction";
import { nameOf } from "../../model/title";
import { common } from "../../texts/common";
import { sayError } from "../../texts/sayError";
import { useSpeech, useTexts } from "../../texts/texts";
import { texts as memoryTexts } from "./texts";

interface Props {
  run: Extraction;
  onAgain: (queue: readonly Conversation[]) => void;
  onShow: (ids: ReadonlySet<string>) => void;
  onClose: () => void;
}

/** What came of a reading, also where it was stopped or could not read everything. */
export function ExtractionResult({ run, onAgain, onShow, onClose }: Props) {
  const texts = useTexts(memoryTexts);
  const words = useTexts(common);
  const { locale } = useSpeech();
  const { found, failures, queue, read } = run;
  const heading = useRef<HTMLParagraphElement>(null);
  const holding = found.filter(({ valid_to }) => valid_to === null);

  useEffect(() => heading.current?.focus(), []);

  return (
    <>
      <p ref={heading} className="extract-outcome" tabIndex={-1} role="status">
        {read < queue.length && <>{texts.stopped(read, queue.length)} </>}
        {found.length === 0 ? texts.foundNothing : texts.found(found.length, locale)}
      </p>
      {found.length > 0 && (
        <ul className="extract-found">
          {found.map((memory) => (
            <li key={memory.id}>
              <span dir="auto">{memory.content}</span>
              <span className="tag">
                {memory.valid_to
                  ? texts.shelves.superseded
                  : isChanged(memory)
                    ? texts.isChanged
                    : texts.isNew}
              </span>
            </li>
          ))}
        </ul>
      )}
      {failures.length > 0 && (
        <div className="error-note extract-failures">
          <p>{texts.failed(failures.length, locale)}</p>
          <ul>
            {failures.map(({ conversation, error }) => (
              <li key={conversation.id}>
                {nameOf(conversation) ?? words.untitled}: {sayError(error, words)}
              </li>
            ))}
          </ul>
          <button
            type="button"
            className="button small"
            onClick={() => onAgain(failures.map(({ conversation }) => conversation))}
          >
            {texts.again}
          </button>
        </div>
      )}
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          {texts.done}
        </button>
        {holding.length > 0 && (
          <button
            type="button"
            className="button primary"
            onClick={() => onShow(new Set(holding.map(({ id }) => id)))}
          >
            {texts.showFound}
          </button>
        )}
      </div>
    </>
  );
}

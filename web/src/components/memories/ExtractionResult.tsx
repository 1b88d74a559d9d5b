import { useEffect, useRef } from "react";
import type { Conversation } from "../../api/types";
import { useCommonTexts } from "../../i18n/common";
import { errorMessage } from "../../i18n/errorMessage";
import { useLocale } from "../../i18n/i18n";
import { isChanged, type Extraction } from "../../model/extraction";
import { titleOrTopic } from "../../model/title";
import { Button } from "../ui/Button";
import { useMemoryTexts } from "./texts";

interface Props {
  run: Extraction;
  onRetry: (queue: readonly Conversation[]) => void;
  onShow: (ids: ReadonlySet<string>) => void;
  onClose: () => void;
}

export function ExtractionResult({ run, onRetry, onShow, onClose }: Props) {
  const texts = useMemoryTexts();
  const commonTexts = useCommonTexts();
  const { locale } = useLocale();
  const { found, failures, queue, doneCount } = run;
  const heading = useRef<HTMLParagraphElement>(null);
  const current = found.filter(({ valid_to }) => valid_to === null);

  useEffect(() => heading.current?.focus(), []);

  return (
    <>
      <p ref={heading} className="extract-outcome" tabIndex={-1} role="status">
        {doneCount < queue.length && <>{texts.stopped(doneCount, queue.length)} </>}
        {found.length === 0 ? texts.foundNothing : texts.found(found.length, locale)}
      </p>
      {found.length > 0 && (
        <ul className="extract-found">
          {found.map((memory) => (
            <li key={memory.id}>
              <span dir="auto">{memory.content}</span>
              <span className="tag">
                {memory.valid_to
                  ? texts.states.superseded
                  : isChanged(memory)
                    ? texts.isChanged
                    : texts.isNew}
              </span>
            </li>
          ))}
        </ul>
      )}
      {failures.length > 0 && (
        <div className="error-message extract-failures">
          <p>{texts.failed(failures.length, locale)}</p>
          <ul>
            {failures.map(({ conversation, error }) => (
              <li key={conversation.id}>
                {titleOrTopic(conversation) ?? commonTexts.untitled}: {errorMessage(error, commonTexts)}
              </li>
            ))}
          </ul>
          <Button
            className="small"
            onClick={() => onRetry(failures.map(({ conversation }) => conversation))}
          >
            {texts.retryFailed}
          </Button>
        </div>
      )}
      <div className="actions">
        <Button onClick={onClose}>{texts.done}</Button>
        {current.length > 0 && (
          <Button className="primary" onClick={() => onShow(new Set(current.map(({ id }) => id)))}>
            {texts.showFound}
          </Button>
        )}
      </div>
    </>
  );
}

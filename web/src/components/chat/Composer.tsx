import { useCallback, useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from "react";
import type { AskOptions } from "../../api/chat";
import { listModels } from "../../api/models";
import type { Chat } from "../../hooks/useChat";
import { useDraft } from "../../hooks/useDraft";
import { useResource } from "../../hooks/useResource";
import { useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { IconButton } from "../ui/IconButton";
import { Notes, type NotesByName } from "./Notes";
import { texts as chatTexts } from "./texts";

const loadModels = (signal: AbortSignal) => listModels(signal);

/** Where a message is written, with what goes along with it. */
export function Composer({ chat }: { chat: Chat }) {
  const texts = useTexts(chatTexts);
  const [draft, setDraft] = useDraft(chat.conversationId);
  const [model, setModel] = useState("");
  const [isFull, setFull] = useState(false);
  const [notes, setNotes] = useState<NotesByName>({});
  const field = useRef<HTMLTextAreaElement>(null);
  const models = useResource(loadModels).value?.items ?? [];

  useEffect(() => {
    // On a phone the keyboard would cover what one came to read.
    if (window.matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, [chat.conversationId]);

  // What was typed is kept until the server has it: a question may fail, or the page be left.
  const { answering, failure, pending, send } = chat;
  const forget = useRef<(() => void) | null>(null);
  useEffect(() => {
    if (pending !== null) return;
    forget.current?.();
    forget.current = null;
  }, [pending]);

  const typed = forget.current && pending ? "" : draft;
  const canSend = typed.trim() !== "" && answering === null;

  const submit = useCallback(
    (event?: FormEvent) => {
      event?.preventDefault();
      if (!canSend) return;
      const options: AskOptions = { mode: isFull ? "full" : "compressed" };
      if (model !== "") options.model = model;
      if (Object.keys(notes).length > 0) options.context = notes;
      forget.current = () => setDraft("");
      void send(draft, options);
    },
    [canSend, isFull, model, notes, draft, send, setDraft],
  );

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };

  const dismiss = () => {
    forget.current = null;
    chat.dismissFailure();
    field.current?.focus();
  };

  return (
    <form className="composer" onSubmit={submit}>
      {failure && (
        <div className="composer-failure">
          <ErrorNote error={failure.error} onRetry={failure.retry} />
          <IconButton icon="edit" label={texts.editMessage} onClick={dismiss} />
        </div>
      )}
      {answering?.isLost && (
        <p className="hint" role="status">
          {texts.lost}
        </p>
      )}
      <div className="composer-box">
        <textarea
          ref={field}
          aria-label={texts.write}
          placeholder={texts.placeholder}
          rows={1}
          value={typed}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="composer-bar">
          <Notes notes={notes} onChange={setNotes} />
          <label className="choice" title={texts.fullContextHint}>
            <input
              type="checkbox"
              role="switch"
              checked={isFull}
              onChange={(event) => setFull(event.target.checked)}
            />
            {texts.fullContext}
          </label>
          {models.length > 1 && (
            <select
              className="model-choice"
              aria-label={texts.model}
              value={model || models.find(({ is_default }) => is_default)?.name}
              onChange={(event) => setModel(event.target.value)}
            >
              {models.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
          {answering ? (
            <IconButton
              className="send"
              icon="stop"
              label={texts.stop}
              onClick={() => void chat.stop()}
            />
          ) : (
            <IconButton
              className="send"
              icon="send"
              label={texts.send}
              type="submit"
              disabled={!canSend}
            />
          )}
        </div>
      </div>
    </form>
  );
}

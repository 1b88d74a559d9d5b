import { useEffect, useRef, type FormEvent, type KeyboardEvent } from "react";
import { listModels } from "../../api/models";
import type { AskChoices } from "../../hooks/useAskOptions";
import type { Chat } from "../../hooks/useChat";
import { useDraft } from "../../hooks/useDraft";
import { useResource } from "../../hooks/useResource";
import { useNavigation } from "../../hooks/useRoute";
import { useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { IconButton } from "../ui/IconButton";
import { Notes } from "./Notes";
import { texts as chatTexts } from "./texts";

interface Props {
  chat: Chat;
  choices: AskChoices;
  onStop: () => void;
  /** Called when a conversation that was begun here is on disk. */
  onBegun: (conversationId: string) => void;
}

/** Where a message is written, with what goes along with it. */
export function Composer({ chat, choices, onStop, onBegun }: Props) {
  const texts = useTexts(chatTexts);
  const draft = useDraft(chat.conversationId);
  const field = useRef<HTMLTextAreaElement>(null);
  const models = useResource(listModels).value?.items ?? [];

  useEffect(() => {
    // On a phone the keyboard would cover what one came to read.
    if (window.matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, [chat.conversationId]);

  // "New conversation" once more, where one is already: then it is to be written.
  const { route, visit } = useNavigation();
  const isHome = route.page === "chat" && route.conversationId === null;
  const firstVisit = useRef(visit);
  useEffect(() => {
    if (isHome && visit !== firstVisit.current) field.current?.focus();
  }, [isHome, visit]);

  const { answering, conversationId, failure, pending } = chat;
  const canSend = draft.text.trim() !== "" && !chat.isBusy;

  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (!canSend) return;
    const { text } = draft;
    const sent = draft.take();
    void chat.send(text, choices.options, (id) => {
      sent();
      if (conversationId === null) onBegun(id);
    });
  };

  /** Takes a question that did not arrive back into the field, before what was typed since. */
  const takeBack = () => {
    if (pending) draft.write([pending.text, draft.text].filter(Boolean).join("\n\n"));
    chat.dismissFailure();
    field.current?.focus();
  };

  return (
    <form className="composer" onSubmit={submit}>
      {failure && (
        <div className="composer-failure">
          <ErrorNote error={failure.error} onRetry={answering ? undefined : (failure.retry ?? undefined)} />
          <IconButton icon="undo" label={texts.takeBack} onClick={takeBack} />
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
          value={draft.text}
          onChange={(event) => draft.write(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
              submit(event);
            }
          }}
        />
        <div className="composer-bar">
          <Notes notes={choices.notes} onChange={choices.setNotes} />
          <label className="choice" title={texts.fullContextHint}>
            <input
              type="checkbox"
              role="switch"
              checked={choices.isFull}
              onChange={(event) => choices.setFull(event.target.checked)}
            />
            {texts.fullContext}
          </label>
          {models.length > 1 && (
            <select
              className="model-choice"
              aria-label={texts.model}
              value={choices.model || models.find(({ is_default }) => is_default)?.name}
              onChange={(event) => choices.setModel(event.target.value)}
            >
              {models.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
          {answering ? (
            <IconButton className="send" icon="stop" label={texts.stop} onClick={onStop} />
          ) : (
            <IconButton
              className="send"
              icon="send"
              label={texts.send}
              type="submit"
              aria-disabled={!canSend}
            />
          )}
        </div>
      </div>
    </form>
  );
}

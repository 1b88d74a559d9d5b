import { useEffect, useRef, type FormEvent, type KeyboardEvent } from "react";
import { listModels } from "../../api/models";
import type { AskSettings } from "../../hooks/useAskOptions";
import type { Chat } from "../../hooks/useChat";
import { useDraft } from "../../hooks/useDraft";
import { useResource } from "../../hooks/useResource";
import { useNavigation } from "../../hooks/useRoute";
import { ErrorMessage } from "../ui/ErrorMessage";
import { IconButton } from "../ui/IconButton";
import { Notes } from "./Notes";
import { useChatTexts } from "./texts";

interface Props {
  chat: Chat;
  settings: AskSettings;
  onStop: () => void;
  /** Called with the id of a new conversation. */
  onCreated: (conversationId: string) => void;
}

export function Composer({ chat, settings, onStop, onCreated }: Props) {
  const texts = useChatTexts();
  const draft = useDraft(chat.conversationId);
  const field = useRef<HTMLTextAreaElement>(null);
  const models = useResource(listModels).value?.items ?? [];

  useEffect(() => {
    // On a phone the keyboard would cover the messages.
    if (window.matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, [chat.conversationId]);

  // "New conversation" was clicked again.
  const { route, visit } = useNavigation();
  const isHome = route.page === "chat" && route.conversationId === null;
  const firstVisit = useRef(visit);
  useEffect(() => {
    if (isHome && visit !== firstVisit.current) field.current?.focus();
  }, [isHome, visit]);

  const { activeAnswer, conversationId, failure, pending } = chat;
  const canSend = draft.text.trim() !== "" && !chat.isBusy;

  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (!canSend) return;
    const { text } = draft;
    const onStored = draft.clear();
    void chat.send(text, settings.options, (id) => {
      onStored();
      if (conversationId === null) onCreated(id);
    });
  };

  /** Puts an unsent question back into the field, above the new text. */
  const restoreUnsent = () => {
    if (pending) draft.setText([pending.text, draft.text].filter(Boolean).join("\n\n"));
    chat.dismissFailure();
    field.current?.focus();
  };

  return (
    <form className="composer" onSubmit={submit}>
      {failure && (
        <div className="composer-failure">
          <ErrorMessage error={failure.error} onRetry={activeAnswer ? undefined : (failure.retry ?? undefined)} />
          <IconButton icon="undo" label={texts.editUnsent} onClick={restoreUnsent} />
        </div>
      )}
      {activeAnswer?.isReconnecting && (
        <p className="hint" role="status">
          {texts.reconnecting}
        </p>
      )}
      <div className="composer-box">
        <textarea
          ref={field}
          aria-label={texts.write}
          placeholder={texts.placeholder}
          rows={1}
          value={draft.text}
          onChange={(event) => draft.setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
              submit(event);
            }
          }}
        />
        <div className="composer-bar">
          <Notes notes={settings.notes} onChange={settings.setNotes} />
          <label className="choice" title={texts.fullContextHint}>
            <input
              type="checkbox"
              role="switch"
              checked={settings.isFullContext}
              onChange={(event) => settings.setFullContext(event.target.checked)}
            />
            {texts.fullContext}
          </label>
          {models.length > 1 && (
            <select
              className="model-choice"
              aria-label={texts.model}
              value={settings.model || models.find(({ is_default }) => is_default)?.name}
              onChange={(event) => settings.setModel(event.target.value)}
            >
              {models.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          )}
          {activeAnswer ? (
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

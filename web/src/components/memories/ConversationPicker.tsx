import type { Conversation } from "../../api/types";
import type { Conversations } from "../../hooks/useConversations";
import { useNow } from "../../hooks/useNow";
import { useCommonTexts } from "../../i18n/common";
import { useLocale } from "../../i18n/i18n";
import { relativeTime } from "../../model/dateFormat";
import { titleOrTopic } from "../../model/title";
import { Button } from "../ui/Button";
import { ErrorMessage } from "../ui/ErrorMessage";
import { Loading } from "../ui/Loading";
import { LoadMoreButton } from "../ui/LoadMoreButton";
import { useMemoryTexts } from "./texts";

interface Props {
  conversations: Conversations;
  selected: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
  onStart: (queue: readonly Conversation[]) => void;
}

export function ConversationPicker({ conversations, selected, onSelect, onStart }: Props) {
  const texts = useMemoryTexts();
  const { untitled } = useCommonTexts();
  const { locale } = useLocale();
  const now = useNow();
  const { listing, status, error, retry } = conversations;
  const enabled = listing.items.filter(({ remember }) => remember);
  const queue = enabled.filter(({ id }) => selected.has(id));

  const select = (id: string, isSelected: boolean) => {
    const ids = new Set(selected);
    if (isSelected) ids.add(id);
    else ids.delete(id);
    onSelect(ids);
  };
  const selectAll = (isSelected: boolean) =>
    onSelect(new Set(isSelected ? enabled.map(({ id }) => id) : []));

  if (status === "failed" && error) return <ErrorMessage error={error} onRetry={retry} />;
  if (status === "loading" && listing.items.length === 0) return <Loading />;
  if (listing.items.length === 0) return <p className="hint">{texts.noConversations}</p>;
  return (
    <>
      <p className="hint">{texts.extractHint}</p>
      <div className="extract-list">
        <label className="choice extract-all">
          <input
            type="checkbox"
            checked={enabled.length > 0 && queue.length === enabled.length}
            ref={(box) => {
              if (box) box.indeterminate = queue.length > 0 && queue.length < enabled.length;
            }}
            disabled={enabled.length === 0}
            onChange={(event) => selectAll(event.target.checked)}
          />
          {texts.selectAll}
        </label>
        <ul>
          {listing.items.map((conversation) => (
            <li key={conversation.id}>
              <label className="choice extract-choice">
                <input
                  type="checkbox"
                  disabled={!conversation.remember}
                  checked={selected.has(conversation.id) && conversation.remember}
                  onChange={(event) => select(conversation.id, event.target.checked)}
                />
                <span className="extract-title" dir="auto">
                  {titleOrTopic(conversation) ?? untitled}
                </span>
                {conversation.remember ? (
                  <time dateTime={conversation.last_activity_at}>
                    {relativeTime(conversation.last_activity_at, now, locale)}
                  </time>
                ) : (
                  <span className="tag">{texts.memoriesOff}</span>
                )}
              </label>
            </li>
          ))}
        </ul>
        <LoadMoreButton list={conversations} label={texts.moreConversations} />
      </div>
      <div className="actions">
        <Button
          className="primary"
          aria-disabled={queue.length === 0}
          onClick={queue.length === 0 ? undefined : () => onStart(queue)}
        >
          {texts.extractFrom(queue.length, locale)}
        </Button>
      </div>
    </>
  );
}

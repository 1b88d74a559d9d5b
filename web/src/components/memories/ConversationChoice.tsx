import type { Conversation } from "../../api/types";
import type { Conversations } from "../../hooks/useConversations";
import { useNow } from "../../hooks/useNow";
import { relativeTime } from "../../model/time";
import { nameOf } from "../../model/title";
import { common } from "../../texts/common";
import { useSpeech, useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { Loading } from "../ui/Loading";
import { MoreButton } from "../ui/MoreButton";
import { texts as memoryTexts } from "./texts";

interface Props {
  conversations: Conversations;
  chosen: ReadonlySet<string>;
  onChoose: (ids: ReadonlySet<string>) => void;
  onStart: (queue: readonly Conversation[]) => void;
}

export function ConversationChoice({ conversations, chosen, onChoose, onStart }: Props) {
  const texts = useTexts(memoryTexts);
  const { loading, untitled } = useTexts(common);
  const { locale } = useSpeech();
  const now = useNow();
  const { listing, first, error, retry } = conversations;
  const readable = listing.items.filter(isReadable);
  const queue = readable.filter(({ id }) => chosen.has(id));

  const choose = (id: string, isChosen: boolean) => {
    const ids = new Set(chosen);
    if (isChosen) ids.add(id);
    else ids.delete(id);
    onChoose(ids);
  };
  const chooseAll = (isChosen: boolean) =>
    onChoose(new Set(isChosen ? readable.map(({ id }) => id) : []));

  if (first === "failed" && error) return <ErrorNote error={error} onRetry={retry} />;
  if (first === "loading" && listing.items.length === 0) return <Loading label={loading} />;
  if (listing.items.length === 0) return <p className="hint">{texts.noConversations}</p>;
  return (
    <>
      <p className="hint">{texts.extractHint}</p>
      <div className="extract-list">
        <label className="choice extract-all">
          <input
            type="checkbox"
            checked={readable.length > 0 && queue.length === readable.length}
            ref={(box) => {
              if (box) box.indeterminate = queue.length > 0 && queue.length < readable.length;
            }}
            disabled={readable.length === 0}
            onChange={(event) => chooseAll(event.target.checked)}
          />
          {texts.chooseAll}
        </label>
        <ul>
          {listing.items.map((one) => (
            <li key={one.id}>
              <label className="choice extract-choice">
                <input
                  type="checkbox"
                  disabled={!isReadable(one)}
                  checked={chosen.has(one.id) && isReadable(one)}
                  onChange={(event) => choose(one.id, event.target.checked)}
                />
                <span className="extract-title" dir="auto">
                  {nameOf(one) ?? untitled}
                </span>
                {one.remember ? (
                  <time dateTime={one.last_activity_at}>
                    {relativeTime(one.last_activity_at, now, locale)}
                  </time>
                ) : (
                  <span className="tag">{texts.keptOut}</span>
                )}
              </label>
            </li>
          ))}
        </ul>
        <MoreButton paged={conversations} label={texts.moreConversations} />
      </div>
      <div className="actions">
        <button
          type="button"
          className="button primary"
          aria-disabled={queue.length === 0}
          onClick={queue.length === 0 ? undefined : () => onStart(queue)}
        >
          {texts.read(queue.length, locale)}
        </button>
      </div>
    </>
  );
}

function isReadable({ remember }: Conversation): boolean {
  return remember;
}

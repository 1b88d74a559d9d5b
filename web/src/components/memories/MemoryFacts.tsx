import type { Memory } from "../../api/types";
import { conversationPath } from "../../hooks/useRoute";
import { percent } from "../../model/amounts";
import { exactTime, relativeTime } from "../../model/time";
import { common } from "../../texts/common";
import { useSpeech, useTexts } from "../../texts/texts";
import { Icon } from "../ui/Icon";
import { Link } from "../ui/Link";
import { texts as memoryTexts } from "./texts";

interface Props {
  memory: Memory;
  now: Date;
  onCategory: (category: string) => void;
}

/** The line below a memory: what it is, who noted it and when, and where it was said. */
export function MemoryFacts({ memory, now, onCategory }: Props) {
  const texts = useTexts(memoryTexts);
  const { pinned } = useTexts(common);
  const { locale } = useSpeech();
  const { category, confidence, created_at, source_conversation_id, valid_to } = memory;

  return (
    <div className="memory-facts">
      <span className="tag">{texts.typeOf[memory.memory_type]}</span>
      {category && (
        <button
          type="button"
          className="tag memory-category"
          title={texts.showCategory(category)}
          onClick={() => onCategory(category)}
        >
          {category}
        </button>
      )}
      {memory.is_pinned && (
        <span className="mark pinned">
          <Icon name="pin" />
          {pinned}
        </span>
      )}
      {valid_to && <span className="mark">{texts.superseded(exactTime(valid_to, locale))}</span>}
      <span className="memory-notes">
        <span>{texts.authors[memory.author]}</span>
        <time dateTime={created_at} title={exactTime(created_at, locale)}>
          {relativeTime(created_at, now, locale)}
        </time>
        {confidence < 1 && <span>{texts.confidence(percent(confidence, locale))}</span>}
        {memory.access_count > 0 && <span>{texts.used(memory.access_count, locale)}</span>}
        {source_conversation_id && (
          <Link
            className="memory-source"
            href={conversationPath(source_conversation_id, { place: memory.source_message_id })}
          >
            {texts.source}
          </Link>
        )}
      </span>
    </div>
  );
}

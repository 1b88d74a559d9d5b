import type { Memory } from "../../api/types";
import { conversationPath } from "../../hooks/useRoute";
import { useCommonTexts } from "../../i18n/common";
import { useLocale } from "../../i18n/i18n";
import { exactTime, relativeTime } from "../../model/dateFormat";
import { formatPercent } from "../../model/numberFormat";
import { Icon } from "../ui/Icon";
import { Link } from "../ui/Link";
import { useMemoryTexts } from "./texts";

interface Props {
  memory: Memory;
  now: Date;
  onCategory: (category: string) => void;
}

/** The line below a memory: type, category, author, time and source. */
export function MemoryMeta({ memory, now, onCategory }: Props) {
  const texts = useMemoryTexts();
  const { pinned } = useCommonTexts();
  const { locale } = useLocale();
  const { category, confidence, created_at, source_conversation_id, valid_to } = memory;

  return (
    <div className="memory-meta">
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
        <span className="badge pinned">
          <Icon name="pin" />
          {pinned}
        </span>
      )}
      {valid_to && <span className="badge">{texts.superseded(exactTime(valid_to, locale))}</span>}
      <span className="memory-details">
        <span>{texts.authors[memory.author]}</span>
        <time dateTime={created_at} title={exactTime(created_at, locale)}>
          {relativeTime(created_at, now, locale)}
        </time>
        {confidence < 1 && <span>{texts.confidence(formatPercent(confidence, locale))}</span>}
        {memory.access_count > 0 && <span>{texts.used(memory.access_count, locale)}</span>}
        {source_conversation_id && (
          <Link
            className="memory-source"
            href={conversationPath(source_conversation_id, { anchor: memory.source_message_id })}
          >
            {texts.source}
          </Link>
        )}
      </span>
    </div>
  );
}

import type { MemoryEvent, MemoryType } from "../../api/types";
import { useLocale } from "../../i18n/i18n";
import { exactTime } from "../../model/dateFormat";
import { fieldChanges, type FieldChange } from "../../model/memoryEvent";
import { formatPercent } from "../../model/numberFormat";
import { useMemoryTexts } from "./texts";

export function HistoryEvent({ event }: { event: MemoryEvent }) {
  const texts = useMemoryTexts();
  const { locale } = useLocale();
  const { action, actor, created_at, undone_at } = event;
  const changes = fieldChanges(event);
  return (
    <li className="memory-event" data-undone={undone_at !== null}>
      <p className="memory-event-header">
        <strong>{texts.events[action]}</strong> {texts.actors[actor]}
        <time dateTime={created_at}>{exactTime(created_at, locale)}</time>
        {undone_at && <span className="tag">{texts.undone}</span>}
      </p>
      {changes.length > 0 && (
        <dl>
          {changes.map((change) => (
            <div key={change.field}>
              <dt>{texts.fields[change.field]}</dt>
              <dd>
                <Change {...change} isFirst={event.before === null} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

function Change({ field, before, after, isFirst }: FieldChange & { isFirst: boolean }) {
  const texts = useMemoryTexts();
  const { locale } = useLocale();

  const formatValue = (value: unknown): string => {
    if (value === null || value === undefined) return texts.noCategory;
    if (typeof value === "boolean") return value ? texts.yes : texts.no;
    if (typeof value === "number") return formatPercent(value, locale);
    if (field === "memory_type") return texts.typeOf[value as MemoryType];
    return String(value);
  };

  if (isFirst) return <span dir="auto">{formatValue(after)}</span>;
  return (
    <>
      <span className="visually-hidden">{texts.from} </span>
      <del dir="auto">{formatValue(before)}</del>
      <span aria-hidden="true"> → </span>
      <span className="visually-hidden"> {texts.to} </span>
      <ins dir="auto">{formatValue(after)}</ins>
    </>
  );
}

import { useEffect } from "react";
import { useNow } from "../../hooks/useNow";
import { useCommonTexts } from "../../i18n/common";
import { useLocale } from "../../i18n/i18n";
import { relativeTime } from "../../model/dateFormat";
import { matchingWords } from "../../model/matches";
import type { Entry, FoundMessage, Section } from "../../model/palette";
import { titleOrTopic } from "../../model/title";
import { Icon } from "../ui/Icon";
import { MarkedText } from "../ui/MarkedText";
import { usePaletteTexts } from "./texts";

const icons = {
  new: "plus",
  memories: "memory",
  analytics: "chart",
  settings: "settings",
} as const;

interface Props {
  id: string;
  sections: readonly Section[];
  /** The sentence whose words are marked in messages. */
  query: string;
  active: string | null;
  isBusy: boolean;
  onSelect: (entry: Entry) => void;
}

export function optionId(listId: string, key: string): string {
  return `${listId}-${key}`;
}

/** The results. The focus stays in the input, which refers to the active option. */
export function PaletteList({ id, sections, query, active, isBusy, onSelect }: Props) {
  const texts = usePaletteTexts();
  const now = useNow();

  useEffect(() => {
    if (active === null) return;
    document.getElementById(optionId(id, active))?.scrollIntoView({ block: "nearest" });
  }, [id, active]);

  return (
    <div
      id={id}
      className="palette-list"
      role="listbox"
      aria-label={texts.results}
      aria-busy={isBusy}
    >
      {sections.map(({ name, entries }) => (
        <ul key={name} role="group" aria-labelledby={`${id}-section-${name}`}>
          <li id={`${id}-section-${name}`} className="palette-section" role="presentation">
            {texts.sections[name]}
          </li>
          {entries.map((entry) => (
            <PaletteOption
              key={entry.key}
              id={optionId(id, entry.key)}
              entry={entry}
              query={query}
              isActive={entry.key === active}
              now={now}
              onSelect={() => onSelect(entry)}
            />
          ))}
        </ul>
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  entry: Entry;
  query: string;
  isActive: boolean;
  now: Date;
  onSelect: () => void;
}

function PaletteOption({ id, entry, query, isActive, now, onSelect }: OptionProps) {
  return (
    <li
      id={id}
      role="option"
      className="palette-option"
      aria-selected={isActive}
      // Keep the focus in the input.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onSelect}
    >
      <OptionContent entry={entry} query={query} now={now} />
    </li>
  );
}

function OptionContent({ entry, query, now }: Pick<OptionProps, "entry" | "query" | "now">) {
  const texts = usePaletteTexts();
  const { untitled } = useCommonTexts();
  const { locale } = useLocale();

  if (entry.kind === "destination") {
    return (
      <>
        <Icon name={icons[entry.destination]} />
        <span className="palette-title">{texts.destinations[entry.destination]}</span>
      </>
    );
  }
  if (entry.kind === "message") return <MessageContent found={entry.found} query={query} now={now} />;
  const { description, conversation } = entry;
  const { last_activity_at } = conversation;
  const name = titleOrTopic(conversation);
  return (
    <>
      <Icon name="chat" />
      <span className="palette-text">
        <span className="palette-title" dir="auto">
          {name ?? untitled}
        </span>
        {description && description !== name && (
          <span className="palette-description" dir="auto">
            {description}
          </span>
        )}
      </span>
      <time dateTime={last_activity_at}>{relativeTime(last_activity_at, now, locale)}</time>
    </>
  );
}

/** The best passage of a message, with the words of the query. */
function MessageContent({ found, query, now }: { found: FoundMessage; query: string; now: Date }) {
  const texts = usePaletteTexts();
  const { untitled } = useCommonTexts();
  const { locale } = useLocale();
  const { hit, conversation } = found;
  const text = hit.passages[0]?.text ?? hit.text;
  const seq = hit.seq?.toLocaleString(locale) ?? "";
  return (
    <>
      <Icon name="search" />
      <span className="palette-text">
        <span className="palette-title" dir="auto">
          {texts.message(titleOrTopic(conversation) ?? untitled, seq)}
        </span>
        <span className="palette-description" dir="auto">
          <MarkedText text={text} ranges={matchingWords(text, query)} className="match" />
        </span>
      </span>
      <time dateTime={hit.created_at}>{relativeTime(hit.created_at, now, locale)}</time>
    </>
  );
}

import { useEffect } from "react";
import { useNow } from "../../hooks/useNow";
import { useCommonTexts } from "../../i18n/common";
import { useLocale } from "../../i18n/i18n";
import { relativeTime } from "../../model/dateFormat";
import type { Entry, Section } from "../../model/palette";
import { titleOrTopic } from "../../model/title";
import { Icon } from "../ui/Icon";
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
  active: string | null;
  isBusy: boolean;
  onSelect: (entry: Entry) => void;
}

export function optionId(listId: string, key: string): string {
  return `${listId}-${key}`;
}

/** The results. The focus stays in the input, which refers to the active option. */
export function PaletteList({ id, sections, active, isBusy, onSelect }: Props) {
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
  isActive: boolean;
  now: Date;
  onSelect: () => void;
}

function PaletteOption({ id, entry, isActive, now, onSelect }: OptionProps) {
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
      <OptionContent entry={entry} now={now} />
    </li>
  );
}

function OptionContent({ entry, now }: Pick<OptionProps, "entry" | "now">) {
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

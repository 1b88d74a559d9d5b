import { useCommonTexts } from "../../i18n/common";
import { useLocale } from "../../i18n/i18n";
import { relativeTime } from "../../model/dateFormat";
import type { Entry } from "../../model/palette";
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
  entry: Entry;
  isActive: boolean;
  now: Date;
  onSelect: () => void;
}

export function PaletteOption({ id, entry, isActive, now, onSelect }: Props) {
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
      <Content entry={entry} now={now} />
    </li>
  );
}

function Content({ entry, now }: Pick<Props, "entry" | "now">) {
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

import type { Entry } from "../../model/palette";
import { relativeTime } from "../../model/time";
import { nameOf } from "../../model/title";
import { common } from "../../texts/common";
import { useSpeech, useTexts } from "../../texts/texts";
import { Icon } from "../ui/Icon";
import { texts as paletteTexts } from "./texts";

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
      // The field keeps the focus, and with it the keys.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onSelect}
    >
      <Content entry={entry} now={now} />
    </li>
  );
}

function Content({ entry, now }: Pick<Props, "entry" | "now">) {
  const texts = useTexts(paletteTexts);
  const { untitled } = useTexts(common);
  const { locale } = useSpeech();

  if (entry.kind === "destination") {
    return (
      <>
        <Icon name={icons[entry.destination]} />
        <span className="palette-title">{texts.destinations[entry.destination]}</span>
      </>
    );
  }
  const { about, conversation } = entry;
  const { last_activity_at } = conversation;
  const name = nameOf(conversation);
  return (
    <>
      <Icon name="chat" />
      <span className="palette-said">
        <span className="palette-title" dir="auto">
          {name ?? untitled}
        </span>
        {about && about !== name && (
          <span className="palette-about" dir="auto">
            {about}
          </span>
        )}
      </span>
      <time dateTime={last_activity_at}>{relativeTime(last_activity_at, now, locale)}</time>
    </>
  );
}

import { useEffect } from "react";
import { useNow } from "../../hooks/useNow";
import type { Entry, Section } from "../../model/palette";
import { PaletteOption } from "./PaletteOption";
import { usePaletteTexts } from "./texts";

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

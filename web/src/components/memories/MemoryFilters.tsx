import { useId } from "react";
import { memoryTypes, shelves, type MemoryChoice, type Shelf } from "../../model/memoryFilter";
import { useTexts } from "../../texts/texts";
import { Icon } from "../ui/Icon";
import { CategoryFilter } from "./CategoryFilter";
import { texts as memoryTexts } from "./texts";

interface Props {
  choice: MemoryChoice;
  categories: readonly string[];
  onChange: (changes: Partial<MemoryChoice>) => void;
}

export function MemoryFilters({ choice, categories, onChange }: Props) {
  const texts = useTexts(memoryTexts);
  const name = useId();
  return (
    <search className="memory-filters">
      <div className="memory-search">
        <Icon name="search" />
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          autoComplete="off"
          spellCheck={false}
          maxLength={1_000}
          value={choice.q}
          onChange={(event) => onChange({ q: event.target.value })}
        />
      </div>
      <div className="memory-choices">
        <CategoryFilter
          value={choice.category}
          categories={categories}
          onChange={(category) => onChange({ category })}
        />
        <select
          aria-label={texts.shelf}
          value={choice.shelf}
          onChange={(event) => onChange({ shelf: event.target.value as Shelf })}
        >
          {shelves.map((shelf) => (
            <option key={shelf} value={shelf}>
              {texts.shelves[shelf]}
            </option>
          ))}
        </select>
        <label className="choice">
          <input
            type="checkbox"
            checked={choice.isPinnedOnly}
            onChange={(event) => onChange({ isPinnedOnly: event.target.checked })}
          />
          {texts.pinnedOnly}
        </label>
      </div>
      <fieldset className="memory-types">
        <legend className="visually-hidden">{texts.type}</legend>
        {(["", ...memoryTypes] as const).map((type) => (
          <label key={type} className="memory-type">
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              checked={choice.type === type}
              onChange={() => onChange({ type })}
            />
            {type === "" ? texts.allTypes : texts.types[type]}
          </label>
        ))}
      </fieldset>
    </search>
  );
}

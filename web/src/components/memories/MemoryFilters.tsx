import { useId } from "react";
import { memoryTypes, memoryStates, type FilterValues, type MemoryState } from "../../model/memoryFilter";
import { Icon } from "../ui/Icon";
import { CategoryFilter } from "./CategoryFilter";
import { useMemoryTexts } from "./texts";

interface Props {
  filters: FilterValues;
  categories: readonly string[];
  onChange: (changes: Partial<FilterValues>) => void;
}

export function MemoryFilters({ filters, categories, onChange }: Props) {
  const texts = useMemoryTexts();
  const name = useId();
  return (
    <search className="memory-filters">
      <div className="search-field">
        <Icon name="search" />
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          autoComplete="off"
          spellCheck={false}
          maxLength={1_000}
          value={filters.q}
          onChange={(event) => onChange({ q: event.target.value })}
        />
      </div>
      <div className="memory-filter-row">
        <CategoryFilter
          value={filters.category}
          categories={categories}
          onChange={(category) => onChange({ category })}
        />
        <select
          aria-label={texts.state}
          value={filters.state}
          onChange={(event) => onChange({ state: event.target.value as MemoryState })}
        >
          {memoryStates.map((state) => (
            <option key={state} value={state}>
              {texts.states[state]}
            </option>
          ))}
        </select>
        <label className="choice">
          <input
            type="checkbox"
            checked={filters.pinnedOnly}
            onChange={(event) => onChange({ pinnedOnly: event.target.checked })}
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
              checked={filters.type === type}
              onChange={() => onChange({ type })}
            />
            {type === "" ? texts.allTypes : texts.types[type]}
          </label>
        ))}
      </fieldset>
    </search>
  );
}

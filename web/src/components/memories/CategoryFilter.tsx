import { useEffect, useId, useState } from "react";
import { useMemoryTexts } from "./texts";

interface Props {
  value: string;
  categories: readonly string[];
  onChange: (category: string) => void;
}

/**
 * Categories are matched exactly, so a partial word would match nothing: the filter applies when the
 * text is a known category, or on blur.
 */
export function CategoryFilter({ value, categories, onChange }: Props) {
  const texts = useMemoryTexts();
  const [draft, setDraft] = useState(value);
  const listId = useId();

  useEffect(() => setDraft(value), [value]);

  const handleChange = (text: string) => {
    setDraft(text);
    if (text === "" || categories.includes(text)) onChange(text);
  };

  return (
    <>
      <input
        list={listId}
        aria-label={texts.category}
        placeholder={texts.anyCategory}
        autoComplete="off"
        maxLength={100}
        value={draft}
        onChange={(event) => handleChange(event.target.value)}
        onBlur={() => onChange(draft.trim())}
        onKeyDown={(event) => {
          if (event.key === "Enter") onChange(draft.trim());
        }}
      />
      <datalist id={listId}>
        {categories.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

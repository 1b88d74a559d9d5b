import { useEffect, useId, useState } from "react";
import { useTexts } from "../../texts/texts";
import { texts as memoryTexts } from "./texts";

interface Props {
  value: string;
  categories: readonly string[];
  onChange: (category: string) => void;
}

/**
 * A category is matched to the letter, so half a word would find nothing: what is written counts
 * when it is a category that is known, or when the field is left.
 */
export function CategoryFilter({ value, categories, onChange }: Props) {
  const texts = useTexts(memoryTexts);
  const [draft, setDraft] = useState(value);
  const listId = useId();

  useEffect(() => setDraft(value), [value]);

  const write = (text: string) => {
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
        onChange={(event) => write(event.target.value)}
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

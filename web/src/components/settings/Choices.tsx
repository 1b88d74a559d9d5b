import { useId } from "react";

interface Props<T extends string> {
  label: string;
  choices: readonly { value: T; label: string; language?: string }[];
  selected: T;
  onSelect: (value: T) => void;
}

/** One of a few, side by side. They are radio buttons, and work as such. */
export function Choices<T extends string>({ label, choices, selected, onSelect }: Props<T>) {
  const name = useId();
  return (
    <fieldset className="options">
      <legend>{label}</legend>
      <div>
        {choices.map((choice) => (
          <label key={choice.value} lang={choice.language}>
            <input
              type="radio"
              name={name}
              checked={choice.value === selected}
              onChange={() => onSelect(choice.value)}
            />
            {choice.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

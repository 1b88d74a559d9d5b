import { useId } from "react";

interface Props<T extends string> {
  label: string;
  options: readonly { value: T; label: string; language?: string }[];
  selected: T;
  onSelect: (value: T) => void;
}

export function RadioGroup<T extends string>({ label, options, selected, onSelect }: Props<T>) {
  const name = useId();
  return (
    <fieldset className="radio-group">
      <legend>{label}</legend>
      <div>
        {options.map((option) => (
          <label key={option.value} lang={option.language}>
            <input
              type="radio"
              name={name}
              checked={option.value === selected}
              onChange={() => onSelect(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

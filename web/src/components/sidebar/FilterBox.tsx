import { Icon } from "./Icon";

interface Props {
  value: string;
  onChange: (text: string) => void;
}

export function FilterBox({ value, onChange }: Props) {
  return (
    <div className="filter" role="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label="Filter conversations"
        placeholder="Filter by title or topic"
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

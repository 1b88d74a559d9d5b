interface Props {
  title: string;
  values: readonly string[];
  mark: "ins" | "del";
}

export function ValueList({ title, values, mark: Mark }: Props) {
  if (values.length === 0) return null;
  return (
    <div className="value-list">
      <h3>{title}</h3>
      <ul>
        {values.map((value) => (
          <li key={value}>
            <Mark>{value}</Mark>
          </li>
        ))}
      </ul>
    </div>
  );
}

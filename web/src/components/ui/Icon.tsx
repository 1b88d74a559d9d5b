const paths = {
  back: "M15 5l-7 7 7 7",
  pin: "M12 17v5M8 3h8M9 3v6l-3 4v2h12v-2l-3-4V3",
  plus: "M12 5v14M5 12h14",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14M16.5 16.5L21 21",
} as const;

/** A drawn sign beside a text that says the same; screen readers skip it. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

const paths = {
  archive: "M3 4h18v4H3zM5 8v12h14V8M10 12h4",
  back: "M15 5l-7 7 7 7",
  brain: "M12 5a3 3 0 0 0-6 .5A3.5 3.5 0 0 0 4.5 12 3.5 3.5 0 0 0 6 18.5 3 3 0 0 0 12 19zM12 5a3 3 0 0 1 6 .5 3.5 3.5 0 0 1 1.5 6.5 3.5 3.5 0 0 1-1.5 6.5A3 3 0 0 1 12 19z",
  chart: "M4 20V10M10 20V4M16 20v-7M21 20H3",
  chat: "M4 5h16v11H9l-5 4z",
  check: "M5 12l5 5L20 6",
  close: "M6 6l12 12M18 6L6 18",
  columns: "M4 4h7v16H4zM13 4h7v16h-7z",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  down: "M6 9l6 6 6-6",
  download: "M12 4v11M7 11l5 5 5-5M4 20h16",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6",
  fork: "M6 3v12M6 15a3 3 0 1 0 0 6 3 3 0 0 0 0-6M18 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6M18 9c0 5-6 4-11 7",
  history: "M4 5v5h5M4.5 10a8 8 0 1 1-.5 4M12 8v5l3 2",
  key: "M14 4a6 6 0 1 1-4 10.5L4 20v-3h2v-2h2l2-2A6 6 0 0 1 14 4M15 9h.01",
  memory: "M6 3h12v18l-6-4-6 4z",
  menu: "M4 6h16M4 12h16M4 18h16",
  more: "M4.5 12a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M11.5 12a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0M18.5 12a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0",
  note: "M5 3h10l4 4v14H5zM14 3v5h5M9 13h6M9 17h6",
  pin: "M12 17v5M8 3h8M9 3v6l-3 4v2h12v-2l-3-4V3",
  plus: "M12 5v14M5 12h14",
  refresh: "M20 5v5h-5M19.5 10a8 8 0 1 0 .5 4",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14M16.5 16.5L21 21",
  send: "M12 20V4M5 11l7-7 7 7",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M14 4v6M6 14v6",
  stop: "M7 7h10v10H7z",
  summary: "M4 5h16M4 10h16M4 15h10M4 20h6",
  thumbDown: "M17 14V3H7.5L4 11v3h6l-1 6 2 1 6-7zM17 3h3v11h-3",
  thumbUp: "M7 10v11h9.5L20 13v-3h-6l1-6-2-1-6 7zM7 21H4V10h3",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon, hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

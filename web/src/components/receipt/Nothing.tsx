import type { ReactNode } from "react";

interface Props {
  title: string;
  hint: string;
  children?: ReactNode;
}

/** A panel that has nothing to show yet says so, and when it will. */
export function Nothing({ title, hint, children }: Props) {
  return (
    <div className="panel-nothing">
      <h2>{title}</h2>
      <p className="hint">{hint}</p>
      {children}
    </div>
  );
}

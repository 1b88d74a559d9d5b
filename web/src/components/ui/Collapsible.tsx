import type { ReactNode } from "react";

interface Props {
  summary: string;
  /** Opens it; the user can close it again. */
  isOpen?: boolean | undefined;
  children: ReactNode;
}

export function Collapsible({ summary, isOpen = false, children }: Props) {
  return (
    <details className="collapsible" open={isOpen}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}

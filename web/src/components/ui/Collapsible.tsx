import type { ReactNode } from "react";

export function Collapsible({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className="collapsible">
      <summary>{summary}</summary>
      {children}
    </details>
  );
}

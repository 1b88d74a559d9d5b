import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon";

interface Props {
  title?: string;
  /** Heading level of the title. */
  level?: 1 | 2;
  /** Paragraphs. */
  hints: readonly string[];
  icon?: IconName;
  /** Whether it is part of a page, instead of filling it. */
  isInline?: boolean;
  children?: ReactNode;
}

export function EmptyState({ title, level = 2, hints, icon, isInline = false, children }: Props) {
  const Heading = `h${level}` as const;
  return (
    <div className={isInline ? "empty inline" : "empty"}>
      {icon && (
        <span className="empty-icon">
          <Icon name={icon} />
        </span>
      )}
      {title && <Heading>{title}</Heading>}
      {hints.map((hint) => (
        // Without a title, screen readers announce the hint.
        <p key={hint} {...(!title && { role: "status" })}>
          {hint}
        </p>
      ))}
      {children}
    </div>
  );
}

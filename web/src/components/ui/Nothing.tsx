import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon";

interface Props {
  title?: string;
  /** How deep the title stands; 1 where there is nothing else on the page. */
  level?: 1 | 2;
  /** Sentences, each on lines of its own. */
  hints: readonly string[];
  icon?: IconName;
  /** Whether other things stand above it, so that it only takes the room it needs. */
  isPart?: boolean;
  children?: ReactNode;
}

/** Where there is nothing to show: says so, and why, and what can be done about it. */
export function Nothing({ title, level = 2, hints, icon, isPart = false, children }: Props) {
  const Heading = `h${level}` as const;
  return (
    <div className={isPart ? "empty part" : "empty"}>
      {icon && (
        <span className="emblem">
          <Icon name={icon} />
        </span>
      )}
      {title && <Heading>{title}</Heading>}
      {hints.map((hint) => (
        // Without a title above it, it is the news.
        <p key={hint} {...(!title && { role: "status" })}>
          {hint}
        </p>
      ))}
      {children}
    </div>
  );
}

import type { ComponentProps } from "react";
import { Icon, type IconName } from "./Icon";

interface Props extends ComponentProps<"button"> {
  icon: IconName;
  label: string;
}

/** A button with an icon; the label is its tooltip and accessible name. */
export function IconButton({ icon, label, className = "", ...rest }: Props) {
  return (
    <button
      type="button"
      className={`icon-button ${className}`}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  );
}

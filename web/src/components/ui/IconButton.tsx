import type { ComponentProps } from "react";
import { Icon, type IconName } from "./Icon";

interface Props extends ComponentProps<"button"> {
  icon: IconName;
  label: string;
}

/** A button that is only a sign; its label is for screen readers, and for the pointer at rest. */
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

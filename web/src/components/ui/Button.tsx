import type { ComponentProps } from "react";

/** `className` adds a variant: primary, quiet, danger, small. */
export function Button({ className, ...rest }: ComponentProps<"button">) {
  return <button type="button" className={className ? `button ${className}` : "button"} {...rest} />;
}

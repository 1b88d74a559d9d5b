import type { AnchorHTMLAttributes, MouseEvent } from "react";

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
  navigate: (path: string) => void;
}

/** A link within the page: a plain click stays here, any other click is the browser's. */
export function Link({ href, navigate, ...rest }: Props) {
  const onClick = (event: MouseEvent) => {
    const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.button !== 0 || !isPlain) return;
    event.preventDefault();
    navigate(href);
  };
  return <a {...rest} href={href} onClick={onClick} />;
}

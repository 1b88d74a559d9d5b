import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { useNavigation } from "../../hooks/useRoute";

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
}

/** A link within the page: a plain click stays here, any other click is the browser's. */
export function Link({ href, onClick, ...rest }: Props) {
  const { navigate } = useNavigation();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || event.button !== 0 || !isPlain) return;
    event.preventDefault();
    navigate(href);
  };
  return <a {...rest} href={href} onClick={follow} />;
}

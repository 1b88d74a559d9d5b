import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { useNavigation } from "../../hooks/useRoute";

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
}

/** A link within the app; clicks with a modifier key are left to the browser. */
export function Link({ href, onClick, ...rest }: Props) {
  const { navigate } = useNavigation();
  const handleClick = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || event.button !== 0 || !isPlain) return;
    event.preventDefault();
    navigate(href);
  };
  return <a {...rest} href={href} onClick={handleClick} />;
}

import type { ReactNode } from "react";
import { conversationPath, useNavigation, type Panel } from "../../hooks/useRoute";
import { Link } from "../ui/Link";

interface Props {
  conversationId: string;
  /** Id or sequence number of the message. */
  anchor: string;
  panel: Panel;
  children: ReactNode;
}

/** Links to a message. Closes the panel on small screens, where it covers the conversation. */
export function MessageLink({ conversationId, anchor, panel, children }: Props) {
  const { navigate } = useNavigation();
  return (
    <Link
      href={conversationPath(conversationId, { anchor, panel })}
      onClick={(event) => {
        const isSmall = window.matchMedia("(max-width: 45rem)").matches;
        if (!isSmall || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        navigate(conversationPath(conversationId, { anchor }));
      }}
    >
      {children}
    </Link>
  );
}

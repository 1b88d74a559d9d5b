import type { ReactNode } from "react";
import { conversationPath, useNavigation, type Panel } from "../../hooks/useRoute";
import type { Passage } from "../../model/passages";
import { Link } from "../ui/Link";

interface Props {
  conversationId: string;
  /** Id or sequence number of the message. */
  anchor: string;
  /** The part of the message to mark. */
  passage?: Passage;
  panel: Panel | null;
  children: ReactNode;
}

/** Links to a message. Closes the panel where it covers the conversation. */
export function MessageLink({ conversationId, anchor, passage, panel, children }: Props) {
  const { navigate } = useNavigation();
  return (
    <Link
      href={conversationPath(conversationId, { anchor, passage: passage ?? null, panel })}
      onClick={(event) => {
        const isCovered = window.matchMedia("(max-width: 75rem)").matches;
        if (!isCovered || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        navigate(conversationPath(conversationId, { anchor, passage: passage ?? null }));
      }}
    >
      {children}
    </Link>
  );
}

import type { ReactNode } from "react";
import { conversationPath, useNavigation, type Panel } from "../../hooks/useRoute";
import { Link } from "../ui/Link";

interface Props {
  conversationId: string;
  /** A message's id, or its number. */
  place: string;
  panel: Panel;
  children: ReactNode;
}

/** Goes to a message, and leaves the panel open unless it covers the conversation. */
export function MessageLink({ conversationId, place, panel, children }: Props) {
  const { navigate } = useNavigation();
  return (
    <Link
      href={conversationPath(conversationId, { place, panel })}
      onClick={(event) => {
        const isSheet = window.matchMedia("(max-width: 45rem)").matches;
        if (!isSheet || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        navigate(conversationPath(conversationId, { place }));
      }}
    >
      {children}
    </Link>
  );
}

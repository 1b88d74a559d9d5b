import { useState } from "react";
import type { Me } from "../../api/types";
import { useConversations } from "../../hooks/useConversations";
import { useDebounce } from "../../hooks/useDebounce";
import { useInterval } from "../../hooks/useInterval";
import { useLayoutTexts } from "../layout/texts";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Link } from "../ui/Link";
import { ConversationList } from "./ConversationList";
import { PageLinks } from "./PageLinks";
import { ProjectFilter } from "./ProjectFilter";
import { SignedInUser } from "./SignedInUser";
import { useSidebarTexts } from "./texts";

const POLL_MS = 30_000;
/** While an answer is running elsewhere. */
const BUSY_POLL_MS = 3_000;

interface Props {
  me: Me;
  onSignOut: () => Promise<void>;
  onOpenPalette: () => void;
}

export function Sidebar({ me, onSignOut, onOpenPalette }: Props) {
  const texts = useSidebarTexts();
  const { conversations: label } = useLayoutTexts();
  const [filter, setFilter] = useState("");
  const [isArchived, setArchived] = useState(false);
  const q = useDebounce(filter.trim(), 250);
  const [project, setProject] = useState<string | null>(null);
  const conversations = useConversations(q, isArchived, project);
  const isBusy = conversations.listing.items.some(({ is_answering }) => is_answering);
  useInterval(isBusy ? BUSY_POLL_MS : POLL_MS, conversations.refresh);

  return (
    <nav className="sidebar" aria-label={label}>
      <div className="sidebar-top">
        <div className="sidebar-brand">
          <Link className="brand" href="/">
            <img src="/favicon.svg" alt="" width="26" height="26" />
            Recollect
          </Link>
          <Button className="quiet small" onClick={onOpenPalette}>
            <Icon name="search" />
            <span className="visually-hidden">{texts.openPalette}</span>
            <kbd aria-hidden="true">{isApple() ? "⌘K" : "Ctrl K"}</kbd>
          </Button>
        </div>
        <Link className="button primary" href="/">
          <Icon name="plus" />
          {texts.newConversation}
        </Link>
        <div className="search-field" role="search">
          <Icon name="search" />
          <input
            type="search"
            aria-label={texts.filter}
            placeholder={texts.filterHint}
            autoComplete="off"
            spellCheck={false}
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </div>
      </div>
      <ProjectFilter conversations={conversations.listing.items} value={project} onChange={setProject} />
      <ConversationList conversations={conversations} q={q} isArchived={isArchived} />
      <Button
        className="quiet archived-toggle"
        aria-pressed={isArchived}
        onClick={() => setArchived(!isArchived)}
      >
        <Icon name={isArchived ? "back" : "archive"} />
        {isArchived ? texts.showActive : texts.showArchived}
      </Button>
      <PageLinks />
      {me.mode !== "local" && <SignedInUser me={me} onSignOut={onSignOut} />}
    </nav>
  );
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

import { useState } from "react";
import type { Me } from "../../api/types";
import { useConversations } from "../../hooks/useConversations";
import { useDebounced } from "../../hooks/useDebounced";
import { useEvery } from "../../hooks/useEvery";
import { useTexts } from "../../texts/texts";
import { texts as frameTexts } from "../frame/texts";
import { Icon } from "../ui/Icon";
import { Link } from "../ui/Link";
import { Account } from "./Account";
import { ConversationList } from "./ConversationList";
import { Pages } from "./Pages";
import { texts as sidebarTexts } from "./texts";

const calm = 30_000;
/** While an answer is being written elsewhere, its mark should not outlast it by much. */
const busy = 3_000;

interface Props {
  me: Me;
  onSignOut: () => Promise<void>;
  onSwitch: () => void;
}

export function Sidebar({ me, onSignOut, onSwitch }: Props) {
  const texts = useTexts(sidebarTexts);
  const { conversations: label } = useTexts(frameTexts);
  const [filter, setFilter] = useState("");
  const [isArchived, setArchived] = useState(false);
  const q = useDebounced(filter.trim(), 250);
  const conversations = useConversations(q, isArchived);
  const isBusy = conversations.listing.items.some(({ is_answering }) => is_answering);
  useEvery(isBusy ? busy : calm, conversations.refresh);

  return (
    <nav className="sidebar" aria-label={label}>
      <div className="sidebar-top">
        <div className="sidebar-brand">
          <Link className="brand" href="/">
            <img src="/favicon.svg" alt="" width="26" height="26" />
            Recollect
          </Link>
          <button type="button" className="button quiet small" onClick={onSwitch}>
            <Icon name="search" />
            <span className="visually-hidden">{texts.switch}</span>
            <kbd aria-hidden="true">{isApple() ? "⌘K" : "Ctrl K"}</kbd>
          </button>
        </div>
        <Link className="button primary" href="/">
          <Icon name="plus" />
          {texts.newConversation}
        </Link>
        <div className="filter" role="search">
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
      <ConversationList conversations={conversations} q={q} isArchived={isArchived} />
      <button
        type="button"
        className="button quiet archived-switch"
        aria-pressed={isArchived}
        onClick={() => setArchived(!isArchived)}
      >
        <Icon name={isArchived ? "back" : "archive"} />
        {isArchived ? texts.showActive : texts.showArchived}
      </button>
      <Pages />
      {me.mode !== "local" && <Account me={me} onSignOut={onSignOut} />}
    </nav>
  );
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

import { lazy, Suspense } from "react";
import type { Message } from "../../api/types";
import type { Chat } from "../../hooks/useChat";
import { panels, type Panel } from "../../hooks/useRoute";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { IconButton } from "../ui/IconButton";
import { Loading } from "../ui/Loading";
import { Tabs } from "../ui/Tabs";
import { texts as chatTexts } from "./texts";

const NumbersPanel = lazy(() => import("../analytics/NumbersPanel"));
const SeenPanel = lazy(() => import("../receipt/SeenPanel"));
const SummaryPanel = lazy(() => import("../summary/SummaryPanel"));

interface Props {
  chat: Chat;
  conversationId: string;
  panel: Panel;
  /** The answer whose receipt is shown. */
  answer: Message | null;
  onPanel: (panel: Panel | null) => void;
}

export function SidePanel({ chat, conversationId, panel, answer, onPanel }: Props) {
  const texts = useTexts(chatTexts);
  const { loading } = useTexts(common);
  return (
    <aside
      className="side-panel"
      aria-label={texts.panelsLabel}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) onPanel(null);
      }}
    >
      <IconButton
        className="side-panel-close"
        icon="close"
        label={texts.hidePanel}
        onClick={() => onPanel(null)}
      />
      <Tabs
        label={texts.panelsLabel}
        tabs={panels.map((id) => ({ id, label: texts.panels[id] }))}
        selected={panel}
        onSelect={onPanel}
      >
        <Suspense fallback={<Loading label={loading} />}>
          {panel === "seen" && <SeenPanel answer={answer} />}
          {panel === "summary" && <SummaryPanel chat={chat} />}
          {panel === "numbers" && <NumbersPanel conversationId={conversationId} />}
        </Suspense>
      </Tabs>
    </aside>
  );
}

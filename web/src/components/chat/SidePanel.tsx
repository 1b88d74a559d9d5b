import { lazy, Suspense } from "react";
import type { Message } from "../../api/types";
import type { Chat } from "../../hooks/useChat";
import { panels, type Panel } from "../../hooks/useRoute";
import { IconButton } from "../ui/IconButton";
import { Loading } from "../ui/Loading";
import { Tabs } from "../ui/Tabs";
import { useChatTexts } from "./texts";

const AnalyticsPanel = lazy(() => import("../analytics/AnalyticsPanel"));
const ReceiptPanel = lazy(() => import("../receipt/ReceiptPanel"));
const SummaryPanel = lazy(() => import("../summary/SummaryPanel"));

interface Props {
  chat: Chat;
  conversationId: string;
  panel: Panel;
  answer: Message | null;
  onPanel: (panel: Panel | null) => void;
}

export function SidePanel({ chat, conversationId, panel, answer, onPanel }: Props) {
  const texts = useChatTexts();
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
        <Suspense fallback={<Loading />}>
          {panel === "seen" && <ReceiptPanel answer={answer} />}
          {panel === "summary" && <SummaryPanel chat={chat} />}
          {panel === "numbers" && <AnalyticsPanel conversationId={conversationId} />}
        </Suspense>
      </Tabs>
    </aside>
  );
}

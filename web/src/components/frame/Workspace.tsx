import { lazy, Suspense, useEffect, useState } from "react";
import type { Me } from "../../api/types";
import { useChat } from "../../hooks/useChat";
import { useFocusRescue } from "../../hooks/useFocusRescue";
import { useNavigation } from "../../hooks/useRoute";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { ChatPage } from "../chat/ChatPage";
import { Palette } from "../palette/Palette";
import { Sidebar } from "../sidebar/Sidebar";
import { Loading } from "../ui/Loading";
import { NotFound } from "./NotFound";
import { texts as frameTexts } from "./texts";

// What a newcomer does not see at first is loaded when it is asked for.
const AnalyticsPage = lazy(() => import("../analytics/AnalyticsPage"));
const MemoriesPage = lazy(() => import("../memories/MemoriesPage"));
const SettingsPage = lazy(() => import("../settings/SettingsPage"));

interface Props {
  me: Me;
  onSignOut: () => Promise<void>;
}

export function Workspace({ me, onSignOut }: Props) {
  const texts = useTexts(frameTexts);
  const { loading } = useTexts(common);
  const { route } = useNavigation();
  const chat = useChat();
  const [isSwitching, setSwitching] = useState(false);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setSwitching(true);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);

  const isHome = route.page === "chat" && route.conversationId === null;
  useFocusRescue();
  return (
    <div className="workspace" data-view={isHome ? "home" : "page"}>
      <a className="skip-link" href="#main">
        {texts.skip}
      </a>
      <Sidebar me={me} onSignOut={onSignOut} onSwitch={() => setSwitching(true)} />
      <main id="main" className="main" tabIndex={-1}>
        <Suspense fallback={<Loading label={loading} />}>
          {route.page === "chat" && <ChatPage chat={chat} route={route} />}
          {route.page === "memories" && <MemoriesPage />}
          {route.page === "analytics" && <AnalyticsPage />}
          {route.page === "settings" && <SettingsPage me={me} />}
          {route.page === "unknown" && <NotFound />}
        </Suspense>
      </main>
      {isSwitching && <Palette onClose={() => setSwitching(false)} />}
    </div>
  );
}

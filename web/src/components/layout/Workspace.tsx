import { lazy, Suspense, useEffect, useState } from "react";
import type { Me } from "../../api/types";
import { useChat } from "../../hooks/useChat";
import { useFocusFallback } from "../../hooks/useFocusFallback";
import { useNavigation } from "../../hooks/useRoute";
import { ChatPage } from "../chat/ChatPage";
import { CommandPalette } from "../palette/CommandPalette";
import { Sidebar } from "../sidebar/Sidebar";
import { EmptyState } from "../ui/EmptyState";
import { Link } from "../ui/Link";
import { Loading } from "../ui/Loading";
import { useLayoutTexts } from "./texts";

// Loaded on demand, to keep the first page small.
const AnalyticsPage = lazy(() => import("../analytics/AnalyticsPage"));
const MemoriesPage = lazy(() => import("../memories/MemoriesPage"));
const SettingsPage = lazy(() => import("../settings/SettingsPage"));

interface Props {
  me: Me;
  onSignOut: () => Promise<void>;
}

export function Workspace({ me, onSignOut }: Props) {
  const texts = useLayoutTexts();
  const { route } = useNavigation();
  const chat = useChat();
  const [isPaletteOpen, setPaletteOpen] = useState(false);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setPaletteOpen(true);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);

  const isHome = route.page === "chat" && route.conversationId === null;
  useFocusFallback();
  return (
    <div className="workspace" data-view={isHome ? "home" : "page"}>
      <a className="skip-link" href="#main">
        {texts.skip}
      </a>
      <Sidebar me={me} onSignOut={onSignOut} onOpenPalette={() => setPaletteOpen(true)} />
      <main id="main" className="main" tabIndex={-1}>
        <Suspense fallback={<Loading />}>
          {route.page === "chat" && <ChatPage chat={chat} route={route} />}
          {route.page === "memories" && <MemoriesPage />}
          {route.page === "analytics" && <AnalyticsPage />}
          {route.page === "settings" && <SettingsPage me={me} />}
          {route.page === "unknown" && <NotFound />}
        </Suspense>
      </main>
      {isPaletteOpen && <CommandPalette onClose={() => setPaletteOpen(false)} />}
    </div>
  );
}

function NotFound() {
  const texts = useLayoutTexts();
  return (
    <EmptyState level={1} title={texts.notFound} hints={[texts.notFoundHint]}>
      <Link className="button" href="/">
        {texts.showConversations}
      </Link>
    </EmptyState>
  );
}

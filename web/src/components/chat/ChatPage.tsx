import { useCallback, useEffect, useRef, useState } from "react";
import type { Message } from "../../api/types";
import type { Chat } from "../../hooks/useChat";
import { conversationPath, useNavigation, type Panel, type Route } from "../../hooks/useRoute";
import { useEvery } from "../../hooks/useEvery";
import { useSeeing } from "../../hooks/useUnread";
import { useSummary } from "../../hooks/useSummary";
import { titleOf } from "../../model/title";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { ErrorNote } from "../ui/ErrorNote";
import { Loading } from "../ui/Loading";
import { Link } from "../ui/Link";
import { Welcome } from "../welcome/Welcome";
import { texts as frameTexts } from "../frame/texts";
import { ChatHeader } from "./ChatHeader";
import { Composer } from "./Composer";
import { DeleteMessage } from "./DeleteMessage";
import { SidePanel } from "./SidePanel";
import { Transcript } from "./Transcript";
import { texts as chatTexts } from "./texts";
import { useMessageCommands } from "./useMessageCommands";

/** How often to look for what other clients, and the digest in the background, have done. */
const calm = 10_000;

interface Props {
  chat: Chat;
  route: Extract<Route, { page: "chat" }>;
}

export function ChatPage({ chat, route }: Props) {
  const texts = useTexts(chatTexts);
  const { showConversations } = useTexts(frameTexts);
  const { untitled } = useTexts(common);
  const { navigate } = useNavigation();
  const { conversation, conversationId, messages } = chat;
  const [chosen, setChosen] = useState<Message | null>(null);
  const summary = useSummary(conversationId);
  useEvery(calm, chat.refresh);
  useEvery(calm, summary.reload);
  useOpening(chat, route);
  useSeeing(conversation);

  const title = conversation ? titleOf(conversation, untitled) : null;
  useEffect(() => {
    document.title = title === null ? "Recollect" : `${title} · Recollect`;
  }, [title]);

  const { place } = route;
  const onPanel = useCallback(
    (panel: Panel | null) => {
      if (conversationId === null) return;
      navigate(conversationPath(conversationId, { place, panel }), { replace: true });
    },
    [conversationId, place, navigate],
  );
  const { commands, editingId, comparingId, removing, setRemoving } = useMessageCommands(
    chat,
    useCallback(
      (message) => {
        setChosen(message);
        onPanel("seen");
      },
      [onPanel],
    ),
  );

  if (chat.loadError && conversation === null) {
    return chat.loadError.isNotFound ? (
      <div className="empty">
        <h1>{texts.notFound}</h1>
        <p>{texts.notFoundHint}</p>
        <Link className="button" href="/">
          {showConversations}
        </Link>
      </div>
    ) : (
      <div className="empty">
        <ErrorNote
          error={chat.loadError}
          onRetry={() => conversationId && void chat.loadConversation(conversationId, place)}
        />
      </div>
    );
  }

  // Kept as it was chosen: a link from its receipt may lead to where it is not read.
  const isOurs = chosen?.conversation_id === conversationId;
  const answer = isOurs ? chosen : lastAnswer(messages);
  const isEmpty = messages.length === 0 && chat.pending === null;
  return (
    <section className="pane" aria-label={title ?? texts.conversation}>
      {conversation && (
        <ChatHeader chat={chat} conversation={conversation} panel={route.panel} onPanel={onPanel} />
      )}
      <div className="chat-body">
        <div className="chat-main">
          {chat.isLoading && isEmpty ? (
            <div className="empty">
              <Loading label={texts.loading} />
            </div>
          ) : isEmpty ? (
            <Welcome isNew={conversationId === null} />
          ) : (
            <Transcript
              chat={chat}
              commands={commands}
              place={place}
              throughSeq={summary.value?.through_seq ?? 0}
              editingId={editingId}
              comparingId={comparingId}
            />
          )}
          <Composer chat={chat} />
        </div>
        {route.panel !== null && conversationId !== null && (
          <SidePanel
            chat={chat}
            conversationId={conversationId}
            panel={route.panel}
            answer={answer}
            onPanel={onPanel}
          />
        )}
      </div>
      {removing && (
        <DeleteMessage chat={chat} message={removing} onClose={() => setRemoving(null)} />
      )}
    </section>
  );
}

function lastAnswer(messages: readonly Message[]): Message | null {
  const isStanding = ({ role, superseded_at }: Message) => role === "assistant" && !superseded_at;
  return messages.findLast(isStanding) ?? null;
}

/** Opens what the address says; and a conversation that has begun here gets an address. */
function useOpening(chat: Chat, { conversationId, place }: Props["route"]): void {
  const { navigate } = useNavigation();
  const { loadConversation, createNewConversation } = chat;
  const openId = useRef<string | null | undefined>(chat.conversationId);
  const at = useRef(place);
  at.current = place;

  useEffect(() => {
    if (conversationId === openId.current) return;
    openId.current = conversationId;
    if (conversationId === null) createNewConversation();
    else void loadConversation(conversationId, at.current);
  }, [conversationId, loadConversation, createNewConversation]);

  useEffect(
    () => () => {
      openId.current = undefined; // whoever takes the page up again opens anew
    },
    [],
  );

  useEffect(() => {
    if (chat.conversationId === null || openId.current !== null) return;
    openId.current = chat.conversationId;
    navigate(conversationPath(chat.conversationId), { replace: true });
  }, [chat.conversationId, navigate]);
}

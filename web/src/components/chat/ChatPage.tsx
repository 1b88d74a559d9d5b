import { useCallback, useEffect, useState } from "react";
import type { Message } from "../../api/types";
import { useAskOptions } from "../../hooks/useAskOptions";
import type { Chat } from "../../hooks/useChat";
import { useLeaving } from "../../hooks/useDeletion";
import { useEvery } from "../../hooks/useEvery";
import { useMedia } from "../../hooks/useMedia";
import { conversationPath, useNavigation, type Panel, type Route } from "../../hooks/useRoute";
import { useSummary } from "../../hooks/useSummary";
import { useToasts } from "../../hooks/useToasts";
import { useTrying } from "../../hooks/useTrying";
import { useSeeing } from "../../hooks/useUnread";
import { titleOf } from "../../model/title";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { Loading } from "../ui/Loading";
import { isSample } from "../welcome/sample";
import { SampleBar } from "../welcome/SampleBar";
import { Welcome } from "../welcome/Welcome";
import { AnswerNews } from "./AnswerNews";
import { ChatHeader } from "./ChatHeader";
import { Composer } from "./Composer";
import { DeleteMessage } from "./DeleteMessage";
import { SidePanel } from "./SidePanel";
import { Transcript } from "./Transcript";
import { texts as chatTexts } from "./texts";
import { Unopened } from "./Unopened";
import { useMessageCommands } from "./useMessageCommands";
import { useOpening } from "./useOpening";

/** How often to look for what other clients have done. */
const calm = 10_000;

interface Props {
  chat: Chat;
  route: Extract<Route, { page: "chat" }>;
}

export function ChatPage({ chat, route }: Props) {
  const texts = useTexts(chatTexts);
  const { untitled } = useTexts(common);
  const { navigate } = useNavigation();
  const trying = useTrying();
  const tell = useToasts();
  const { conversation, conversationId, messages } = chat;
  const { place, panel } = route;
  const choices = useAskOptions(conversationId);
  const summary = useSummary(conversationId);
  const onBegun = useOpening(chat, route);
  useEvery(calm, chat.refresh);
  useSeeing(conversation);

  const title = conversation ? titleOf(conversation, untitled) : null;
  useEffect(() => {
    document.title = title === null ? "Recollect" : `${title} · Recollect`;
  }, [title]);

  const { isPlaceGone } = chat;
  useEffect(() => {
    if (isPlaceGone) tell({ text: texts.placeGone });
  }, [isPlaceGone, tell, texts]);

  const onPanel = useCallback(
    (to: Panel | null) => {
      if (conversationId === null) return;
      navigate(conversationPath(conversationId, { place, panel: to }), { replace: true });
    },
    [conversationId, place, navigate],
  );
  // Where the panel lies over the chat, nobody should get lost below it.
  const isCovered = useMedia("(max-width: 75rem)") && panel !== null;
  const [chosen, setChosen] = useState<Message | null>(null);
  const showSeen = useCallback(
    (message: Message) => {
      setChosen(message);
      onPanel("seen");
    },
    [onPanel],
  );
  const { commands, editingId, comparingId, removing, setRemoving } = useMessageCommands(
    chat,
    choices.options,
    showSeen,
  );

  const isLeaving = useLeaving().has(conversationId ?? "");
  const isUnopened = chat.loadFailure !== null && conversation === null;
  if (isLeaving || isUnopened) return <Unopened failure={chat.loadFailure} />;

  // Kept as it was chosen: a link from its receipt may lead to where it is not read.
  const isOurs = chosen?.conversation_id === conversationId;
  const answer = isOurs ? chosen : lastAnswer(messages);
  const isEmpty = messages.length === 0 && chat.pending === null;
  return (
    <section className="pane" aria-label={title ?? texts.conversation}>
      {conversation ? (
        <ChatHeader chat={chat} conversation={conversation} panel={panel} onPanel={onPanel} />
      ) : (
        conversationId !== null && <div className="pane-header" />
      )}
      <div className="chat-body">
        <div className="chat-main" inert={isCovered}>
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
          <AnswerNews chat={chat} />
          {conversation && isSample(conversation) && (
            <SampleBar
              conversation={conversation}
              onAsk={chat.isBusy ? null : (question) => void chat.send(question, choices.options)}
            />
          )}
          <Composer
            chat={chat}
            choices={choices}
            onStop={() => trying(chat.stop())}
            onBegun={onBegun}
          />
        </div>
        {panel !== null && conversationId !== null && (
          <SidePanel
            chat={chat}
            conversationId={conversationId}
            panel={panel}
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

import { useCallback, useEffect, useState } from "react";
import type { Message } from "../../api/types";
import { useAskOptions } from "../../hooks/useAskOptions";
import type { Chat } from "../../hooks/useChat";
import { usePendingDeletions } from "../../hooks/useDeleteConversation";
import { useErrorToast } from "../../hooks/useErrorToast";
import { useInterval } from "../../hooks/useInterval";
import { useMediaQuery } from "../../hooks/useMediaQuery";
import { conversationPath, useNavigation, type Panel, type Route } from "../../hooks/useRoute";
import { useSummary } from "../../hooks/useSummary";
import { useToast } from "../../hooks/useToast";
import { useMarkAsRead } from "../../hooks/useUnread";
import { useCommonTexts } from "../../i18n/common";
import { conversationTitle } from "../../model/title";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Loading } from "../ui/Loading";
import { isSample } from "../welcome/sample";
import { SampleBar } from "../welcome/SampleBar";
import { Welcome } from "../welcome/Welcome";
import { AnswerAnnouncer } from "./AnswerAnnouncer";
import { ChatHeader } from "./ChatHeader";
import { Composer } from "./Composer";
import { LoadError } from "./LoadError";
import { SidePanel } from "./SidePanel";
import { useChatTexts } from "./texts";
import { Transcript } from "./Transcript";
import { useMessageCommands } from "./useMessageCommands";
import { useOpenConversation } from "./useOpenConversation";

const POLL_MS = 10_000;

interface Props {
  chat: Chat;
  route: Extract<Route, { page: "chat" }>;
}

export function ChatPage({ chat, route }: Props) {
  const texts = useChatTexts();
  const commonTexts = useCommonTexts();
  const { navigate } = useNavigation();
  const withErrorToast = useErrorToast();
  const showToast = useToast();
  const { conversation, conversationId, messages } = chat;
  const { anchor, passage, panel } = route;
  const settings = useAskOptions(conversationId);
  const summary = useSummary(conversationId);
  const onCreated = useOpenConversation(chat, route);
  useInterval(POLL_MS, chat.refresh);
  useMarkAsRead(conversation);

  const title = conversation ? conversationTitle(conversation, commonTexts.untitled) : null;
  useEffect(() => {
    document.title = title === null ? "Recollect" : `${title} · Recollect`;
  }, [title]);

  const { isAnchorMissing } = chat;
  useEffect(() => {
    if (isAnchorMissing) showToast({ text: texts.messageGone });
  }, [isAnchorMissing, showToast, texts]);

  const onPanel = useCallback(
    (next: Panel | null) => {
      if (conversationId === null) return;
      const path = conversationPath(conversationId, { anchor, passage, panel: next });
      navigate(path, { replace: true });
    },
    [conversationId, anchor, passage, navigate],
  );
  // The panel covers the chat, which must not be focusable below it.
  const isCovered = useMediaQuery("(max-width: 75rem)") && panel !== null;
  // The message itself is kept, because a link in its receipt may unload it.
  const [selected, setSelected] = useState<Message | null>(null);
  const showReceipt = useCallback(
    (message: Message) => {
      setSelected(message);
      onPanel("seen");
    },
    [onPanel],
  );
  const latestAnswer = useLatestAnswer(chat);
  const { commands, editingId, comparingId, removing, setRemoving } = useMessageCommands(
    chat,
    settings.options,
    showReceipt,
  );

  const isDeleted = usePendingDeletions().has(conversationId ?? "");
  const isLoadFailed = chat.loadFailure !== null && conversation === null;
  if (isDeleted || isLoadFailed) return <LoadError failure={chat.loadFailure} />;

  const isSelected = selected?.conversation_id === conversationId;
  const answer = isSelected ? selected : latestAnswer;
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
              anchor={anchor}
              passage={passage}
              throughSeq={summary.value?.through_seq ?? 0}
              editingId={editingId}
              comparingId={comparingId}
            />
          )}
          <AnswerAnnouncer chat={chat} />
          {conversation && isSample(conversation) && (
            <SampleBar
              conversation={conversation}
              onAsk={chat.isBusy ? null : (question) => void chat.send(question, settings.options)}
            />
          )}
          <Composer
            chat={chat}
            settings={settings}
            onStop={() => withErrorToast(chat.stop())}
            onCreated={onCreated}
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
        <ConfirmDialog
          title={texts.deleteMessage}
          text={texts.deleteMessageHint}
          confirm={commonTexts.delete}
          isDangerous
          onConfirm={() => chat.remove(removing)}
          onClose={() => setRemoving(null)}
        />
      )}
    </section>
  );
}

/** The last answer of the conversation, also while older messages are shown; or the last loaded one. */
function useLatestAnswer({ conversationId, messages, hasNewer }: Chat): Message | null {
  const [latest, setLatest] = useState<Message | null>(null);
  const isCurrentAnswer = ({ role, superseded_at }: Message) => role === "assistant" && !superseded_at;
  const loaded = messages.findLast(isCurrentAnswer) ?? null;
  if (!hasNewer && loaded !== latest) setLatest(loaded);
  return hasNewer && latest?.conversation_id === conversationId ? latest : loaded;
}

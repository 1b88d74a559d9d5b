import { useMemo, useState } from "react";
import { announce } from "../../api/changes";
import { exportAddress } from "../../api/conversations";
import { extractMemories } from "../../api/memories";
import type { Conversation } from "../../api/types";
import type { Chat } from "../../hooks/useChat";
import { useDeletion } from "../../hooks/useDeletion";
import { useNavigation } from "../../hooks/useRoute";
import { useToasts } from "../../hooks/useToasts";
import { useTrying } from "../../hooks/useTrying";
import { useSpeech, useTexts } from "../../texts/texts";
import { Menu, type MenuItem } from "../ui/Menu";
import { PolicyDialog } from "./PolicyDialog";
import { texts as chatTexts } from "./texts";
import { useFork } from "./useFork";

interface Props {
  chat: Chat;
  conversation: Conversation;
}

export function ConversationMenu({ chat, conversation }: Props) {
  const texts = useTexts(chatTexts);
  const { locale } = useSpeech();
  const { navigate } = useNavigation();
  const tell = useToasts();
  const trying = useTrying();
  const fork = useFork();
  const [isChoosing, setChoosing] = useState(false);
  const remove = useDeletion(
    useMemo(
      () => ({
        deleted: texts.deleted,
        receipt: (counts) => texts.deletedReceipt(counts, locale),
      }),
      [texts, locale],
    ),
  );

  const extract = async () => {
    tell({ text: texts.extracting });
    const { items } = await extractMemories(conversation.id);
    announce({ kind: "memories" });
    tell({ text: texts.extracted(items.length, locale) });
  };

  const items: MenuItem[] = [
    {
      label: conversation.is_archived ? texts.unarchive : texts.archive,
      icon: "archive",
      onSelect: () => trying(chat.updateConversation({ is_archived: !conversation.is_archived })),
    },
    { label: texts.fork, icon: "fork", onSelect: () => trying(fork(conversation.id)) },
    { label: texts.policy, icon: "settings", onSelect: () => setChoosing(true) },
    { label: texts.extract, icon: "memory", onSelect: () => trying(extract()) },
    {
      label: conversation.remember ? texts.rememberNot : texts.remember,
      icon: "brain",
      onSelect: () => trying(chat.updateConversation({ remember: !conversation.remember })),
    },
    {
      label: texts.export,
      icon: "download",
      onSelect: () => window.location.assign(exportAddress(conversation.id)),
    },
    {
      label: texts.deleteConversation,
      icon: "trash",
      isDangerous: true,
      onSelect: () => {
        remove(conversation);
        navigate("/");
      },
    },
  ];

  return (
    <>
      <Menu label={texts.more} items={items} />
      {isChoosing && (
        <PolicyDialog
          chosen={conversation.policy}
          onClose={() => setChoosing(false)}
          onChoose={(policy) => {
            setChoosing(false);
            trying(chat.updateConversation({ policy }));
          }}
        />
      )}
    </>
  );
}

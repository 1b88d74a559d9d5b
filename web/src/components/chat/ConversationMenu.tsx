import { useMemo, useState } from "react";
import { exportUrl } from "../../api/conversations";
import { publishChange } from "../../api/dataChanges";
import { extractMemories } from "../../api/memories";
import type { Conversation } from "../../api/types";
import type { Chat } from "../../hooks/useChat";
import { useDeleteConversation } from "../../hooks/useDeleteConversation";
import { useErrorToast } from "../../hooks/useErrorToast";
import { useNavigation } from "../../hooks/useRoute";
import { useToast } from "../../hooks/useToast";
import { useLocale } from "../../i18n/i18n";
import { Menu, type MenuItem } from "../ui/Menu";
import { MemorySettings } from "./MemorySettings";
import { useChatTexts } from "./texts";
import { useFork } from "./useFork";

interface Props {
  chat: Chat;
  conversation: Conversation;
}

export function ConversationMenu({ chat, conversation }: Props) {
  const texts = useChatTexts();
  const { locale } = useLocale();
  const { navigate } = useNavigation();
  const showToast = useToast();
  const withErrorToast = useErrorToast();
  const fork = useFork();
  const [isSettingsOpen, setSettingsOpen] = useState(false);
  const remove = useDeleteConversation(
    useMemo(
      () => ({
        deleted: texts.deleted,
        receipt: (counts) => texts.deletedReceipt(counts, locale),
      }),
      [texts, locale],
    ),
  );

  const extract = async () => {
    showToast({ text: texts.extracting });
    const { items } = await extractMemories(conversation.id);
    publishChange({ kind: "memories" });
    showToast({ text: texts.extracted(items.length, locale) });
  };

  const items: MenuItem[] = [
    {
      label: conversation.is_archived ? texts.unarchive : texts.archive,
      icon: "archive",
      onSelect: () => withErrorToast(chat.updateConversation({ is_archived: !conversation.is_archived })),
    },
    { label: texts.fork, icon: "fork", onSelect: () => withErrorToast(fork(conversation.id)) },
    { label: texts.memorySettings, icon: "settings", onSelect: () => setSettingsOpen(true) },
    { label: texts.extract, icon: "memory", onSelect: () => withErrorToast(extract()) },
    {
      label: conversation.remember ? texts.rememberNot : texts.remember,
      icon: "brain",
      onSelect: () => withErrorToast(chat.updateConversation({ remember: !conversation.remember })),
    },
    {
      label: texts.export,
      icon: "download",
      onSelect: () => window.location.assign(exportUrl(conversation.id)),
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
      {isSettingsOpen && (
        <MemorySettings
          conversation={conversation}
          onClose={() => setSettingsOpen(false)}
          onSave={(changes) => {
            setSettingsOpen(false);
            withErrorToast(chat.updateConversation(changes));
          }}
        />
      )}
    </>
  );
}

import type { Message } from "../../api/types";
import { useCommonTexts } from "../../i18n/common";
import { CopyButton } from "../ui/CopyButton";
import { IconButton } from "../ui/IconButton";
import { Menu, type MenuItem } from "../ui/Menu";
import { RatingButtons } from "./RatingButtons";
import { useChatTexts } from "./texts";
import type { MessageCommands } from "./useMessageCommands";

interface Props {
  message: Message;
  isLast: boolean;
  hasEarlier: boolean;
  isBusy: boolean;
  commands: MessageCommands;
}

export function MessageActions({ message, isLast, hasEarlier, isBusy, commands }: Props) {
  const texts = useChatTexts();
  const { pin, unpin } = useCommonTexts();
  const isAnswer = message.role === "assistant";
  const hasText = message.content !== "";

  const more: MenuItem[] = [
    {
      label: message.is_pinned ? unpin : pin,
      icon: "pin",
      onSelect: () => commands.pin(message),
    },
    { label: texts.forkHere, icon: "fork", onSelect: () => commands.fork(message) },
  ];
  if (hasEarlier) {
    more.push({ label: texts.compare, icon: "columns", onSelect: () => commands.compare(message) });
  }
  more.push({
    label: texts.deleteMessage,
    icon: "trash",
    onSelect: () => commands.remove(message),
    isDangerous: true,
  });

  return (
    <div className="message-actions">
      {hasText && <CopyButton text={message.content} label={texts.copyMessage} />}
      {isAnswer && hasText && <RatingButtons message={message} commands={commands} />}
      {isAnswer && (
        <IconButton
          icon="eye"
          label={texts.panels.seen}
          onClick={() => commands.showReceipt(message)}
        />
      )}
      {isAnswer && isLast && !isBusy && (
        <>
          <IconButton
            icon="refresh"
            label={texts.answerAgain}
            onClick={() => commands.regenerate(message)}
          />
          <IconButton
            icon="columns"
            label={texts.answerAgainFull}
            onClick={() => commands.regenerateFull(message)}
          />
        </>
      )}
      {message.role === "user" && !isBusy && (
        <IconButton
          icon="edit"
          label={texts.editMessage}
          onClick={() => commands.beginEdit(message)}
        />
      )}
      <Menu label={texts.more} items={more} />
    </div>
  );
}

import type { Message } from "../../api/types";
import { common } from "../../texts/common";
import { useTexts } from "../../texts/texts";
import { CopyButton } from "../ui/CopyButton";
import { IconButton } from "../ui/IconButton";
import { Menu, type MenuItem } from "../ui/Menu";
import type { MessageCommands } from "./commands";
import { Rating } from "./Rating";
import { texts as chatTexts } from "./texts";

interface Props {
  message: Message;
  isLast: boolean;
  hasEarlier: boolean;
  isBusy: boolean;
  commands: MessageCommands;
}

export function MessageActions({ message, isLast, hasEarlier, isBusy, commands }: Props) {
  const texts = useTexts(chatTexts);
  const { pin, unpin } = useTexts(common);
  const isAnswer = message.role === "assistant";
  const hasWords = message.content !== "";

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
      {hasWords && <CopyButton text={message.content} label={texts.copyMessage} />}
      {isAnswer && hasWords && <Rating message={message} commands={commands} />}
      {isAnswer && (
        <IconButton
          icon="eye"
          label={texts.panels.seen}
          onClick={() => commands.showSeen(message)}
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

import type { Message } from "../../api/types";
import { useTexts } from "../../texts/texts";
import { IconButton } from "../ui/IconButton";
import type { MessageCommands } from "./commands";
import { texts as chatTexts } from "./texts";

interface Props {
  message: Message;
  commands: Pick<MessageCommands, "rate">;
}

/** Thumbs: a second press takes the first one back. */
export function Rating({ message, commands }: Props) {
  const texts = useTexts(chatTexts);
  return (
    <>
      <IconButton
        icon="thumbUp"
        label={texts.ratedUp}
        aria-pressed={message.rating === "up"}
        onClick={() => commands.rate(message, "up")}
      />
      <IconButton
        icon="thumbDown"
        label={texts.ratedDown}
        aria-pressed={message.rating === "down"}
        onClick={() => commands.rate(message, "down")}
      />
    </>
  );
}

import type { Message } from "../../api/types";
import { IconButton } from "../ui/IconButton";
import { useChatTexts } from "./texts";
import type { MessageCommands } from "./useMessageCommands";

interface Props {
  message: Message;
  commands: Pick<MessageCommands, "rate">;
}

/** Thumbs up and down; a second click removes the rating. */
export function RatingButtons({ message, commands }: Props) {
  const texts = useChatTexts();
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

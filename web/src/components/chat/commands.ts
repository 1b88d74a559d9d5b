import type { Message } from "../../api/types";

/** What a reader can do with a message. One object for all of them, so that rows need not change. */
export interface MessageCommands {
  rate: (message: Message, rating: "up" | "down") => void;
  pin: (message: Message) => void;
  regenerate: (message: Message) => void;
  regenerateFull: (message: Message) => void;
  compare: (message: Message | null) => void;
  showSeen: (message: Message) => void;
  beginEdit: (message: Message | null) => void;
  edit: (message: Message, text: string) => void;
  fork: (message: Message) => void;
  remove: (message: Message) => void;
}

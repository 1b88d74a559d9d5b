/**
 * The loaded range of a conversation: consecutive messages, and whether there are more before and
 * after them.
 */
import type { Message, Page } from "../api/types";

export interface MessageWindow {
  messages: readonly Message[];
  hasOlder: boolean;
  hasNewer: boolean;
}

export const emptyWindow: MessageWindow = { messages: [], hasOlder: false, hasNewer: false };

/** Returns the end of a conversation from a page sorted newest first. */
export function endWindow(page: Page<Message>): MessageWindow {
  return {
    messages: page.items.toReversed(),
    hasOlder: page.next_cursor !== null,
    hasNewer: false,
  };
}

/** Returns a window from the messages before one (newest first) and the ones from it on. */
export function windowAround(before: Page<Message>, from: Page<Message>): MessageWindow {
  return {
    messages: [...before.items.toReversed(), ...from.items],
    hasOlder: before.next_cursor !== null,
    hasNewer: from.next_cursor !== null,
  };
}

export function prependOlder(window: MessageWindow, page: Page<Message>): MessageWindow {
  const first = window.messages[0]?.seq ?? Infinity;
  const older = page.items.filter(({ seq }) => seq < first).toReversed();
  return {
    ...window,
    messages: [...older, ...window.messages],
    hasOlder: page.next_cursor !== null,
  };
}

/** Replaces the messages from number `from` on with a page. */
export function replaceFrom(window: MessageWindow, from: number, page: Page<Message>): MessageWindow {
  const kept = window.messages.filter(({ seq }) => seq < from);
  return { ...window, messages: [...kept, ...page.items], hasNewer: page.next_cursor !== null };
}

export function replaceMessage(window: MessageWindow, message: Message): MessageWindow {
  return {
    ...window,
    messages: window.messages.map((old) => (old.id === message.id ? message : old)),
  };
}

export function removeMessage(window: MessageWindow, id: string): MessageWindow {
  return { ...window, messages: window.messages.filter((message) => message.id !== id) };
}

/** Whether `anchor` is the message's id or sequence number. */
export function matchesAnchor(message: Message, anchor: string): boolean {
  return message.id === anchor || String(message.seq) === anchor;
}

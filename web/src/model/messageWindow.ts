/**
 * A window is the stretch of a conversation that has been read: messages in order, without a hole,
 * and whether there are more beyond either edge.
 */
import type { Message, Page } from "../api/types";

export interface MessageWindow {
  /** In the order they were said. */
  messages: readonly Message[];
  hasOlder: boolean;
  hasNewer: boolean;
}

export const emptyWindow: MessageWindow = { messages: [], hasOlder: false, hasNewer: false };

/** The end of a conversation, from a page that came newest first. */
export function atEnd(page: Page<Message>): MessageWindow {
  return {
    messages: page.items.toReversed(),
    hasOlder: page.next_cursor !== null,
    hasNewer: false,
  };
}

/** Around a message: what leads up to it, newest first, and what begins with it. */
export function around(before: Page<Message>, from: Page<Message>): MessageWindow {
  return {
    messages: [...before.items.toReversed(), ...from.items],
    hasOlder: before.next_cursor !== null,
    hasNewer: from.next_cursor !== null,
  };
}

export function withOlder(window: MessageWindow, page: Page<Message>): MessageWindow {
  const first = window.messages[0]?.seq ?? Infinity;
  const older = page.items.filter(({ seq }) => seq < first).toReversed();
  return {
    ...window,
    messages: [...older, ...window.messages],
    hasOlder: page.next_cursor !== null,
  };
}

/** Lays a page that begins at `from` over the end: what it has is fresh, what it lacks is gone. */
export function withNewer(window: MessageWindow, from: number, page: Page<Message>): MessageWindow {
  const kept = window.messages.filter(({ seq }) => seq < from);
  return { ...window, messages: [...kept, ...page.items], hasNewer: page.next_cursor !== null };
}

export function replaced(window: MessageWindow, message: Message): MessageWindow {
  return {
    ...window,
    messages: window.messages.map((old) => (old.id === message.id ? message : old)),
  };
}

export function without(window: MessageWindow, id: string): MessageWindow {
  return { ...window, messages: window.messages.filter((message) => message.id !== id) };
}

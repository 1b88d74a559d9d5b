// An application with chats of the AI SDK, and what it can see of the server beside them.

import { Chat } from '@ai-sdk/react';
import { DefaultChatTransport } from 'ai';

export class Application {
  constructor(url, key) {
    this.url = url;
    this.headers = { Authorization: `Bearer ${key}` };
  }

  // Notes the states that a chat goes through, and what it was told beside its messages.
  chat({ id, messages } = {}) {
    const seen = { statuses: [], data: [], finishes: [] };
    const chat = new Chat({
      id,
      messages,
      transport: this.transport(),
      onData: (part) => seen.data.push(part.type),
      onFinish: ({ isAbort, isDisconnect, isError, finishReason }) =>
        seen.finishes.push({ isAbort, isDisconnect, isError, finishReason }),
    });
    chat['~registerStatusCallback'](() => seen.statuses.push(chat.status));
    return Object.assign(chat, { seen });
  }

  transport() {
    return new DefaultChatTransport({ api: `${this.url}/api/chat`, headers: this.headers });
  }

  async request(method, path) {
    const answer = await fetch(this.url + path, { method, headers: this.headers });
    return answer.status === 204 ? null : answer.json();
  }
}

export const conversationOf = (chat) => chat.lastMessage.metadata.conversation_id;

export const textOf = (message) =>
  message.parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('');

export function shown(chat) {
  return {
    status: chat.status,
    error: chat.error?.message ?? null,
    messages: structuredClone(chat.messages),
    ...structuredClone(chat.seen),
  };
}

export async function until(condition, what) {
  const deadline = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Waited in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

// node chats.mjs URL KEY: plays every scene against a server, and prints what came of each as JSON.
//
// The scenes know the words that the server's model answers to; the test that runs this scripts it.

import { generateId } from 'ai';
import { Application, conversationOf, shown, textOf, until } from './application.mjs';
import { drawn } from './page.mjs';

const [url, key] = process.argv.slice(2);
const application = new Application(url, key);
const stored = (chat) => application.stored(chat);
const request = (method, path) => application.request(method, path);

const hasText = (chat) => chat.lastMessage?.role === 'assistant' && textOf(chat.lastMessage) !== '';
const isRunning = async (chat) => (await stored(chat)).at(-1).status === 'streaming';

const scenes = {
  async asks() {
    const chat = application.chat();
    await chat.sendMessage({ text: 'Hello!' });
    const first = shown(chat);
    await chat.sendMessage({ text: 'And again.' });
    return { first, second: shown(chat), stored: await stored(chat) };
  },

  async regenerates() {
    const chat = application.chat();
    await chat.sendMessage({ text: 'Number, please.' });
    const first = shown(chat);
    await chat.regenerate();
    const second = shown(chat);
    await chat.sendMessage({ text: 'Thank you.' });
    await chat.regenerate({ messageId: second.messages[1].id });
    return { first, second, last: shown(chat), stored: await stored(chat) };
  },

  async edits() {
    const chat = application.chat();
    await chat.sendMessage({ text: 'One.' });
    await chat.sendMessage({ text: 'Tow.' });
    await chat.sendMessage({ text: 'Three.' });
    await chat.sendMessage({ text: 'Two.', messageId: chat.messages[2].id });
    const second = { shown: shown(chat), stored: await stored(chat) };
    await chat.sendMessage({ text: 'Zero.', messageId: chat.messages[0].id });
    return { second, first: { shown: shown(chat), stored: await stored(chat) } };
  },

  // To leave does not stop an answer: only the server's own call does.
  async stops() {
    const chat = application.chat();
    const sent = chat.sendMessage({ text: 'Begin, and never end.' });
    await until(() => hasText(chat), 'the answer has begun');
    await chat.stop();
    await sent;
    const left = { shown: shown(chat), stored: await stored(chat) };
    const stopped = await request('POST', `/api/chat/${encodeURIComponent(chat.id)}/stop`);
    const after = await request('POST', `/api/chat/${conversationOf(chat)}/stop`);
    return { left, stopped: stopped.status, after, stored: await stored(chat) };
  },

  // What was left may have gone on since: a client's own copy of it is not what is stored.
  async edits_after_leaving() {
    const chat = application.chat();
    const sent = chat.sendMessage({ text: 'Room in Porto, slowly.' });
    await until(() => hasText(chat), 'the answer has begun');
    await chat.stop();
    await sent;
    const left = shown(chat);
    await letGoOn('Porto');
    await until(async () => !(await isRunning(chat)), 'the answer has ended');
    await chat.sendMessage({ text: 'And tehn?' });
    await chat.sendMessage({ text: 'And then?', messageId: chat.messages[2].id });
    return { left, last: shown(chat), stored: await stored(chat) };
  },

  // As after a reload of the page: the messages are there, without the one that is being written.
  async resumes() {
    const chat = application.chat();
    const sent = chat.sendMessage({ text: 'Room in Lisbon, slowly.' });
    await until(() => hasText(chat), 'the answer has begun');
    const begun = shown(chat);
    const reloaded = application.chat({ id: chat.id, messages: chat.messages.slice(0, 1) });
    const resumed = reloaded.resumeStream();
    await until(() => hasText(reloaded), 'the answer is back');
    const back = shown(reloaded);
    await letGoOn('Lisbon');
    await Promise.all([sent, resumed]);
    const ended = shown(reloaded);
    await reloaded.resumeStream();
    return { begun, first: shown(chat), back, ended, later: shown(reloaded) };
  },

  // A page asks after its chat before anything was said in it.
  async resumes_nothing() {
    const chat = application.chat({ id: generateId() });
    await chat.resumeStream();
    return shown(chat);
  },

  async calls_tools() {
    const chat = application.chat();
    await chat.sendMessage({ text: 'Room in Lisbon, please.' });
    await chat.sendMessage({ text: 'And break down.' });
    await chat.sendMessage({ text: 'Was that all?' });
    return { ...shown(chat), stored: await stored(chat) };
  },

  async thinks() {
    const chat = application.chat();
    await chat.sendMessage({ text: 'Think.' });
    return shown(chat);
  },

  async fails() {
    const chat = application.chat();
    await chat.sendMessage({ text: 'Fail once.' });
    const failed = shown(chat);
    await chat.regenerate();
    return { failed, again: shown(chat), stored: await stored(chat) };
  },

  // The question has not reached the server, so there is no answer to it to be written again.
  async tries_again_after_a_refusal() {
    const chat = application.chat();
    await chat.sendMessage({ text: 'First.' });
    await chat.sendMessage({ text: 'Second.' }, { headers: { Authorization: 'Bearer wrong' } });
    const refused = shown(chat);
    await chat.regenerate();
    return { refused, again: shown(chat), stored: await stored(chat) };
  },

  async sends_files() {
    const chat = application.chat();
    const files = [{ type: 'file', mediaType: 'text/plain', url: 'data:text/plain,Hi' }];
    await chat.sendMessage({ text: 'Read this.', files });
    const path = `/api/conversations/${conversationOf(chat)}/messages`;
    const { items } = await request('GET', path);
    return { shown: shown(chat), payload: items[0].custom_payload };
  },

  async draws() {
    return drawn(application, ['Hello!', 'Room in Lisbon, please.']);
  },
};

// The model waits in some scenes until it is told to go on, in a chat like any other.
async function letGoOn(city) {
  await application.chat().sendMessage({ text: `Go on in ${city}.` });
}

const names = Object.keys(scenes);
const played = await Promise.all(names.map((name) => scenes[name]()));
console.log(JSON.stringify(Object.fromEntries(names.map((name, at) => [name, played[at]]))));

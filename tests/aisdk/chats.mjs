// node chats.mjs URL KEY [SCENE…]: plays scenes against a server, all of them unless some are named,
// and prints what came of each as JSON.
//
// The scenes know the words that the server's model answers to; the test that runs this scripts it.

import { generateId } from 'ai';
import { Application, conversationOf, shown, textOf, until } from './application.mjs';
import { drawn } from './page.mjs';

const [url, key, ...wanted] = process.argv.slice(2);
const application = new Application(url, key);

const scenes = {
  async asks() {
    const chat = application.chat();
    await chat.sendMessage({ text: 'Hello!' });
    const first = shown(chat);
    await chat.sendMessage({ text: 'And again.' });
    return { first, second: await all(chat) };
  },

  async regenerates() {
    const chat = application.chat();
    const brief = { body: { system: 'Be brief.' } };
    await chat.sendMessage({ text: 'Number, please.' }, brief);
    const first = shown(chat);
    await chat.regenerate(brief);
    const second = await all(chat);
    await chat.sendMessage({ text: 'Thank you.' });
    await chat.regenerate({ messageId: chat.messages[1].id, ...brief });
    const third = await all(chat);
    await chat.sendMessage({ text: 'You are welcome.' });
    await chat.regenerate({ messageId: chat.messages[0].id, ...brief });
    return { first, second, third, fourth: await all(chat) };
  },

  async edits() {
    const chat = application.chat();
    await chat.sendMessage({ text: 'One.' });
    await chat.sendMessage({ text: 'Tow.' });
    await chat.sendMessage({ text: 'Three.' });
    await chat.sendMessage({ text: 'Two.', messageId: chat.messages[2].id });
    const second = await all(chat);
    await chat.sendMessage({ text: 'Zero.', messageId: chat.messages[0].id });
    return { second, first: await all(chat) };
  },

  // To leave does not stop an answer: only the server's own call does.
  async stops() {
    const chat = application.chat();
    await leave(chat, 'Begin, and never end.', hasText);
    const left = await all(chat);
    const stopped = await application.request('POST', `/api/chat/${chat.id}/stop`);
    const again = await application.request('POST', `/api/chat/${conversationOf(chat)}/stop`);
    return { left, stopped, again, after: await all(chat) };
  },

  // What was left has gone on since: the client's own copy of it is not what is stored.
  async edits_after_leaving() {
    const chat = application.chat();
    await leave(chat, 'Room in Porto, slowly.', hasText);
    await letGoOn('Porto');
    await until(async () => !(await isRunning(chat)), 'the answer has ended');
    await chat.sendMessage({ text: 'And tehn?' });
    await chat.sendMessage({ text: 'And then?', messageId: chat.messages[2].id });
    return all(chat);
  },

  async goes_on_before_the_first_word() {
    const chat = application.chat();
    await leave(chat, 'Say nothing.', isAnswered);
    await application.request('POST', `/api/chat/${chat.lastMessage.id}/stop`);
    await chat.sendMessage({ text: 'Never mind.' });
    return all(chat);
  },

  // As after a reload of the page: the messages are there, without the one that is being written.
  async resumes() {
    const chat = application.chat();
    const sent = chat.sendMessage({ text: 'Room in Lisbon, slowly.' });
    await until(() => hasText(chat), 'the answer has begun');
    const reloaded = application.chat({ id: chat.id, messages: chat.messages.slice(0, 1) });
    const resumed = reloaded.resumeStream();
    await until(() => hasText(reloaded), 'the answer is back');
    const back = shown(reloaded);
    await letGoOn('Lisbon');
    await Promise.all([sent, resumed]);
    const ended = shown(reloaded);
    await reloaded.resumeStream();
    return { first: shown(chat), back, ended, later: shown(reloaded) };
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
    return all(chat);
  },

  async thinks() {
    const chat = application.chat();
    await chat.sendMessage({ text: 'Think.' });
    return shown(chat);
  },

  async is_cut_short() {
    const chat = application.chat();
    await chat.sendMessage({ text: 'Go on and on.' });
    return shown(chat);
  },

  async fails() {
    const chat = application.chat();
    await chat.sendMessage({ text: 'Fail once.' });
    const failed = shown(chat);
    await chat.regenerate();
    return { failed, again: await all(chat) };
  },

  async goes_on_after_a_failure() {
    const chat = application.chat();
    await chat.sendMessage({ text: 'Fail always.' });
    await chat.sendMessage({ text: 'Never mind.' });
    return all(chat);
  },

  // The question has not reached the server, so no answer is to be written in another's place.
  async tries_again_after_a_refusal() {
    const chat = application.chat();
    await chat.sendMessage({ text: 'First.' });
    await chat.sendMessage({ text: 'Second.' }, { headers: { Authorization: 'Bearer wrong' } });
    const refused = shown(chat);
    await chat.regenerate();
    return { refused, again: await all(chat) };
  },

  async sends_files() {
    const chat = application.chat();
    const files = [{ type: 'file', mediaType: 'text/plain', url: 'data:text/plain,Hi' }];
    await chat.sendMessage({ text: 'Read this.', files });
    return all(chat);
  },

  async draws() {
    return drawn(application, ['Hello!', 'Room in Lisbon, please.']);
  },
};

// What the client has, and what is on record, also what something else stands in the place of.
async function all(chat) {
  const path = `/api/conversations/${conversationOf(chat)}/messages?limit=200`;
  const { items } = await application.request('GET', path);
  return { ...shown(chat), stored: items };
}

const isAnswered = (chat) => chat.lastMessage?.role === 'assistant';
const hasText = (chat) => isAnswered(chat) && textOf(chat.lastMessage) !== '';
const isRunning = async (chat) => (await all(chat)).stored.at(-1).status === 'streaming';

async function leave(chat, text, condition) {
  const sent = chat.sendMessage({ text });
  await until(() => condition(chat), 'the answer has begun');
  await chat.stop();
  await sent;
}

// The model waits in some scenes until it is told to go on, in a chat like any other.
async function letGoOn(city) {
  await application.chat().sendMessage({ text: `Go on in ${city}.` });
}

const names = wanted.length ? wanted : Object.keys(scenes);
const played = await Promise.all(names.map((name) => scenes[name]()));
console.log(JSON.stringify(Object.fromEntries(names.map((name, at) => [name, played[at]]))));

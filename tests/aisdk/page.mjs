// A page with React's hook: what somebody sees who presses its buttons.

import { Window } from 'happy-dom';
import { until } from './application.mjs';

// React looks for a page when it is loaded. Everything else, fetch above all, stays Node's own.
const window = new Window({ url: 'http://127.0.0.1/' });
const { document, navigator } = window;
for (const [name, value] of Object.entries({ window, document, navigator })) {
  Object.defineProperty(globalThis, name, { value, configurable: true });
}
const { createElement } = await import('react');
const { createRoot } = await import('react-dom/client');
const { useChat } = await import('@ai-sdk/react');

function Talk({ transport, sayings }) {
  const { messages, status, sendMessage } = useChat({ transport });
  return createElement(
    'main',
    { className: status },
    messages.map(({ id, role, parts }) =>
      createElement('p', { key: id, className: role }, parts.map(draw)),
    ),
    sayings.map((text) =>
      createElement('button', { key: text, onClick: () => sendMessage({ text }) }, text),
    ),
  );
}

function draw(part, at) {
  switch (part.type) {
    case 'text':
      return createElement('span', { key: at }, part.text);
    case 'dynamic-tool':
      return createElement('code', { key: at }, `${part.toolName}: ${part.state}`);
    default:
      return null;
  }
}

export async function drawn(application, sayings) {
  const place = window.document.createElement('div');
  const root = createRoot(place);
  root.render(createElement(Talk, { transport: application.transport(), sayings }));
  const find = (what) => [...place.querySelectorAll(what)];
  await until(() => find('button').length === sayings.length, 'the page is there');
  for (const [at, button] of find('button').entries()) {
    button.click();
    await until(() => find('main.ready p').length === 2 * (at + 1), 'the answer is there');
  }
  const paragraphs = find('p').map(({ className, innerHTML }) => [className, innerHTML]);
  root.unmount();
  return paragraphs;
}

/** English messages are compiled in the browser, as Lingui would. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setupI18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';
import { compileMessage } from '../../renderer/words/compile-message.ts';

const english = () => setupI18n({ locale: 'en', messages: { en: {} } });

test('every message reads as compiled by Lingui', () => {
  const catalog = readFileSync(join(projectRoot, 'renderer/words/en.po'), 'utf8');
  const messages = catalog
    .split(/\n\n+/)
    .flatMap((entry) => /^msgid ((?:".*"\n?)+)/m.exec(entry)?.[1] ?? [])
    .map((lines) => [...lines.matchAll(/".*"/g)].map(([line]) => JSON.parse(line)).join(''))
    .filter((message) => message.includes('{'));
  expect(messages.length).toBeGreaterThan(1000);
  // Outside of production, Lingui compiles.
  const lingui = english();
  const console = english().setMessagesCompiler(compileMessage);
  for (const count of [0, 1, 2]) {
    const values = new Proxy({}, { get: (_, name) => (name === 'name' ? 'Ada' : count) });
    for (const message of messages) {
      expect(console.t(message, values), message).toBe(lingui.t(message, values));
    }
  }
});

test.each(['{', '}', 'a } b', '{a b}', '{count, select, a {b}}'])(
  'text that is no message, such as “%s”, is shown as it is',
  (text) => {
    expect(english().setMessagesCompiler(compileMessage).t(text)).toBe(text);
  },
);

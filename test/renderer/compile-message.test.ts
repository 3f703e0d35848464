import { setupI18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { compileMessage } from '../../renderer/words/compile-message.ts';

const english = setupI18n({ locale: 'en', messages: { en: {} } }).setMessagesCompiler(compileMessage);

test('English needs no catalog', () => {
  const message = '{name} has {count, plural, one {# report} other {# reports}}';
  expect(english.t(message, { name: 'Ada', count: 1 })).toBe('Ada has 1 report');
  expect(english.t(message, { name: 'Ada', count: 2 })).toBe('Ada has 2 reports');
});

test.each(['{', '}', 'a } b', '{a b}'])(
  "text that isn't a message, such as “%s”, is shown unchanged",
  (text) => {
    expect(english.t(text)).toBe(text);
  },
);

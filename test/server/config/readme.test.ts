import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { declared } from '../../../server/config/settings.ts';
import { settingsTable } from '../../../server/config/settings-table.ts';
import { settingsWithoutEffect } from '../../../server/config/without-effect.ts';

const readme = new URL('../../../README.md', import.meta.url);
const table = /^\| setting \| default \| what it does \|\n(?:\|.*\n)+/m;

// Written anew by `npx vitest run -u test/server/config/readme.test.ts`.
test("the README's table says what is declared", async () => {
  const text = await readFile(readme, 'utf8');
  expect(text).toMatch(table);
  await expect(text.replace(table, () => `${settingsTable()}\n`)).toMatchFileSnapshot(readme.pathname);
});

test('every setting that does something is described', () => {
  const described = settingsTable();
  const missing = Object.keys(declared).filter(
    (name) => !settingsWithoutEffect.has(name) && !described.includes(`| \`${name}`),
  );
  // Only refused: a check of registrations that this server doesn't have.
  expect(missing).toEqual(['enable_registration_captcha']);
});

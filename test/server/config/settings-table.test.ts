import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { declared } from '../../../server/platform/config/config.ts';
import { settingsTable } from '../../../server/platform/config/settings-table.ts';
import { settingsWithoutEffect } from '../../../server/platform/config/without-effect.ts';

const page = new URL('../../../docs/configuration.md', import.meta.url);
const table = /^\| Setting \| Default \| Description \|\n(?:\|.*\n)+/m;

// Regenerate with `npx vitest run test/server/config/settings-table.test.ts -u`.
test('the table in docs/configuration.md matches the declarations', async () => {
  const text = await readFile(page, 'utf8');
  expect(text).toMatch(table);
  await expect(text.replace(table, () => `${settingsTable()}\n`)).toMatchFileSnapshot(page.pathname);
});

test('every effective setting is described', () => {
  const described = settingsTable();
  const missing = Object.keys(declared).filter(
    (name) => !settingsWithoutEffect.has(name) && !described.includes(`| \`${name}`),
  );
  // Only rejected: this server doesn't support registration captchas.
  expect(missing).toEqual(['enable_registration_captcha']);
});

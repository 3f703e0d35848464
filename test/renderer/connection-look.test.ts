/** Label, color, order and production mark of connections. */
import { expect, test } from 'vitest';
import { labelOf } from '../../renderer/connection-look.ts';
import type { Connection } from '../../shared/connection.ts';
import { inOrder } from '../../shared/connection-look.ts';
import { consoleUnderTest } from './console-under-test.ts';

const console = consoleUnderTest();

test('a label and the production mark show in the header and are kept', async () => {
  const { page } = console;
  await console.open('/settings');
  await page.getByRole('button', { name: 'Customize fake.example' }).click();
  await page.getByRole('textbox', { name: 'Label' }).fill('Staging');
  await page.getByRole('radio', { name: 'Green' }).check({ force: true });
  await page.getByRole('switch', { name: 'Production' }).check({ force: true });
  await page.reload();
  const header = page.getByRole('banner');
  await header.getByRole('button', { name: /^Server: Staging/ }).waitFor();
  await header.getByText('Production').waitFor();
  await page.getByRole('button', { name: 'Sign out of Staging' }).waitFor();
});

const connection = (id: string, port: number): Connection => ({
  id,
  baseUrl: `http://127.0.0.1:${port}`,
  dialect: 'matrix',
  userId: '@admin:localhost',
  local: false,
});
const [a, b, c] = [connection('a', 1), connection('b', 2), connection('c', 3)];

test('servers with the same name are distinguished by address or label', () => {
  const looks = { of: { a: { label: 'Staging' } }, order: [] };
  expect([a, b].map((one) => labelOf(one, [a, b], looks))).toEqual([
    'Staging',
    'localhost (http://127.0.0.1:2)',
  ]);
});

test('connections without a chosen place come last', () => {
  expect(inOrder([a, b, c], { of: {}, order: ['c', 'gone', 'b'] }).map(({ id }) => id)).toEqual([
    'c',
    'b',
    'a',
  ]);
});

/** The console on a homeserver in the box that answers in one dialect alone. */
import { expect, test } from 'vitest';
import { consoleOnHomeserver } from './console-on-homeserver.ts';

const console = consoleOnHomeserver({ apiDialects: ['matrix'] });

test('only addresses that the server answers are shown and copied', async () => {
  await console.open('/local-server', 'matrix');
  const addresses = console.page.getByRole('table').filter({ hasText: 'For clients' });
  await addresses.getByText(`${console.homeserver.url}/_matrix`).waitFor();
  expect(await addresses.getByRole('rowheader').allTextContents()).toEqual(['Matrix']);
});

/** Files that the team listed: reports on messages with them are urgent, with the reason. */
import { expect, test } from 'vitest';
import { consoleOnHomeserver } from './console-on-homeserver.ts';

const console = consoleOnHomeserver();
const enc = encodeURIComponent;

/** Carol sends a file, which Alice reports. Returns the path of its page. */
async function reportFile(content: object): Promise<string> {
  const { homeserver } = console;
  const carol = homeserver.as('carol');
  const upload = await carol.post('/_chat/media/v3/upload?filename=a.json', content);
  const url = String(upload.body.content_uri);
  const created = await carol.post('/_chat/client/v3/createRoom', { preset: 'public_chat' });
  const room = enc(String(created.body.room_id));
  await homeserver.as('alice').post(`/_chat/client/v3/join/${room}`);
  const sent = await carol.put(`/_chat/client/v3/rooms/${room}/send/m.room.message/x${Math.random()}`, {
    ...{ msgtype: 'm.file', body: 'a.json', url },
  });
  const event = enc(String(sent.body.event_id));
  const { status } = await homeserver
    .as('alice')
    .post(`/_chat/client/v3/rooms/${room}/report/${event}`, { reason: 'See file' });
  expect(status).toBe(200);
  return `/media/uploads/${url.slice('mxc://'.length)}`;
}

test('a file is listed from its page, and reports on copies of it are urgent', async () => {
  const file = await reportFile({ known: 'bad' });
  const { page } = console;
  const row = page.getByRole('option').filter({ hasText: 'See file' });
  await console.open('/reports/cases');
  await row.waitFor();
  expect(await row.getByText('Known file').count()).toBe(0);

  await console.open(file);
  await page.getByRole('button', { name: /^More/ }).click();
  await page.getByRole('menuitem', { name: /^Add file to list/ }).click();
  const panel = page.getByRole('dialog', { name: 'Add file to list' });
  await panel.getByRole('button', { name: 'Add file to list' }).click();
  await page.getByText('File added to list').first().waitFor();
  await page.getByText(/added a file to a word list, from/).waitFor();

  // Another upload of the same content.
  await reportFile({ known: 'bad' });
  await console.open('/reports/cases');
  await row.getByText('Known file: Known files').waitFor();
  await page.keyboard.press('z');
  await row.getByText('Known file').waitFor({ state: 'detached' });
  expect(console.problems).toEqual([]);
});

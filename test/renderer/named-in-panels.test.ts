/** Names in panels: users and rooms by name and ID, events by sender and beginning. */
import { expect, test } from 'vitest';
import { acting } from './acting.ts';

const on = acting();
const client = '/_chat/client/v3';
const enc = encodeURIComponent;
/** Reverses the text that follows and imitates another user. */
const hostile = 'Admin\u202e \u200b<b>@admin:localhost</b>';

async function named(displayname: string, messages = 1) {
  const scene = await on.scene({ messages });
  await scene.asUser('PUT', `${client}/profile/${enc(scene.userId)}/displayname`, { displayname });
  return scene;
}

test("a panel shows a user's name beside the ID, even a hostile one", async () => {
  const { page } = on;
  const { userId, reportIds } = await named(hostile);
  await on.open(`/reports?report=${reportIds[0]}`);
  await on.ready();
  await page.keyboard.press('s');
  const panel = await on.panel();
  await panel.getByText('<b>@admin:localhost</b>').waitFor();
  // Invisible and direction marks are shown as symbols.
  expect(await panel.innerText()).not.toMatch(/[\u202e\u200b]/);
  await panel.getByText(userId, { exact: true }).waitFor();
  expect(await panel.locator('b').count()).toBe(0);
});

test('a panel for many redactions lists sender and beginning of each, or the ID if not loaded', async () => {
  const { page } = on;
  const scene = await named('Mallory', 2);
  const long = `Two\nlines ${'and so on '.repeat(60)}`;
  const sent = await scene.asUser('PUT', `${scene.room}/send/m.room.message/long`, {
    msgtype: 'm.text',
    body: long,
  });
  const picture = await scene.asUser('PUT', `${scene.room}/send/org.example.odd/none`, { odd: true });
  for (const { body } of [sent, picture]) {
    await on.homeserver.as('bob').post(`${scene.room}/report/${enc(body.event_id)}`, { reason: 'Rude' });
  }
  const loaded = new Set<string>();
  page.on('response', (response) => {
    const [path] = /\/event_reports\/\d+$/.exec(response.url()) ?? [];
    if (path) loaded.add(path);
  });
  await on.open(`/reports?room=${enc(scene.roomId)}`);
  await page.getByRole('option').nth(3).waitFor();
  await page.keyboard.press('a');
  await page.getByText('4 selected').waitFor();
  await expect.poll(() => loaded.size).toBe(4);
  await on.ready();
  await page.keyboard.press('r');
  const panel = await on.panel();
  await panel.getByText(`Sent by ${scene.userId}`).waitFor();
  await panel.getByText('Details').click();
  const items = panel.getByRole('listitem');
  expect(await items.count()).toBe(4);
  expect(await items.filter({ hasText: scene.userId }).count()).toBe(4);
  await items.filter({ hasText: 'Message 1' }).waitFor();
  await items.filter({ hasText: picture.body.event_id }).waitFor();
  const words = panel.getByText('Two lines and so on');
  const { height } = (await words.boundingBox()) ?? { height: 0 };
  expect(height).toBeLessThan(30);
});

/** Rooms with very long names: they don't fill the screen and can be read in full. */
import { expect, test } from 'vitest';
import { acting } from './acting.ts';

const box = acting();

const endless = 'endless '.repeat(1_250).trim();

/** Simulates a server that doesn't limit names. The built-in one truncates them to 500 characters. */
async function endlessRoom(): Promise<string> {
  await box.page.route('**/_service/admin/v1/**', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({ response, body: text.replaceAll('"Without end"', JSON.stringify(endless)) });
  });
  const alice = box.homeserver.as('alice');
  const created = await alice.post('/_chat/client/v3/createRoom', {
    name: 'Without end',
    preset: 'public_chat',
  });
  const room = `/_chat/client/v3/rooms/${encodeURIComponent(created.body.room_id)}`;
  const content = { msgtype: 'm.text', body: 'Reported for its room' };
  const sent = await alice.put(`${room}/send/m.room.message/endless`, content);
  await alice.post(`${room}/report/${encodeURIComponent(sent.body.event_id)}`, { reason: 'Endless' });
  return created.body.room_id;
}

const heightOf = async (name: RegExp) =>
  (await box.page.getByRole('button', { name }).first().boundingBox())?.height ?? Number.POSITIVE_INFINITY;

test("a room's very long name leaves its page and reports readable, and can be expanded", async () => {
  const { page } = box;
  const roomId = await endlessRoom();
  await box.open(`/rooms/${roomId}`);
  const heading = page.getByRole('heading', { level: 1, name: /^endless/ });
  await heading.waitFor();
  expect((await heading.boundingBox())?.height).toBeLessThan(120);
  await page.getByRole('button', { name: 'Show all (10 kB)' }).click();
  await page.getByText(endless, { exact: true }).filter({ visible: true }).last().waitFor();

  await box.open('/reports');
  await page.getByRole('option').first().click();
  await page
    .getByRole('button', { name: /^Room: endless/ })
    .first()
    .waitFor();
  expect(await heightOf(/^Room: endless/)).toBeLessThan(120);
});

test('very long names take one line on Home and a few in the statistics', async () => {
  const { page } = box;
  await endlessRoom();
  await box.homeserver.as('alice').put('/_chat/client/v3/profile/@alice:localhost/displayname', {
    displayname: endless.slice(0, 200),
  });
  await box.open('/');
  const largest = page.getByRole('table', { name: 'Rooms with most state' });
  await largest
    .getByRole('button', { name: /^endless/ })
    .first()
    .waitFor();
  expect(await heightOf(/^endless/)).toBeLessThan(30);
  const users = page.getByRole('region', { name: 'Users', exact: true });
  await users.getByRole('link', { name: /endless/ }).waitFor();
  expect(await users.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.setViewportSize({ width: 720, height: 800 });
  await box.open('/reports/statistics');
  const rooms = page.getByRole('table', { name: 'Reports by room' });
  const entry = rooms.getByRole('button', { name: /^endless/ }).first();
  await entry.waitFor();
  expect(await heightOf(/^endless/)).toBeLessThan(80);
  // The tooltip shows more of the name, as far as it fits.
  await entry.hover();
  const { height = 0 } = (await page.getByRole('tooltip').boundingBox()) ?? {};
  expect(height).toBeGreaterThan(80);
  expect(height).toBeLessThan(500);
});

import { expect, test } from 'vitest';
import type { Clock } from '../../../server/platform/core/clock.ts';
import { manualClock } from '../../manual-clock.ts';
import { startHomeserver } from '../homeserver.ts';
import { makeRoom, path } from '../rooms/client.ts';

test('typing that times out ends on time without another event', async () => {
  const time = manualClock();
  const begun = time.monotonic();
  /** Times of scheduled callbacks, in milliseconds since the start. */
  const due: number[] = [];
  const after: Clock['after'] = (milliseconds, callback) => {
    due.push(time.monotonic() - begun + milliseconds);
    return time.after(milliseconds, callback);
  };
  const homeserver = await startHomeserver({ clock: { ...time, after } });
  const alice = homeserver.as('alice');
  const room = await makeRoom(alice);
  const typing = async (query: string) =>
    (await alice.get(`${path('sync')}?set_presence=offline&timeout=0${query}`)).body;
  const shownIn = (reply: { rooms?: { join?: Record<string, { ephemeral?: { events: object[] } }> } }) =>
    reply.rooms?.join?.[room]?.ephemeral?.events;

  // The server checks every thirty seconds.
  time.advance(20_000);
  await alice.put(path('rooms', room, 'typing', alice.userId), { typing: true, timeout: 25_000 });
  await expect
    .poll(async () => shownIn(await typing('')))
    .toMatchObject([{ type: 'm.typing', content: { user_ids: [alice.userId] } }]);
  const { next_batch } = await typing('');
  time.advance(10_000);
  await expect.poll(() => due).toContain(45_000);
  time.advance(15_000);
  await expect
    .poll(async () => shownIn(await typing(`&since=${next_batch}`)))
    .toMatchObject([{ type: 'm.typing', content: { user_ids: [] } }]);
  await homeserver.remove();
});

test('typing ends after two minutes, however long it was announced for', async () => {
  const time = manualClock();
  const homeserver = await startHomeserver({ clock: time });
  const alice = homeserver.as('alice');
  const room = await makeRoom(alice);
  const typers = async () => {
    const { body } = await alice.get(`${path('sync')}?set_presence=offline&timeout=0`);
    return body.rooms?.join?.[room]?.ephemeral?.events[0]?.content.user_ids;
  };
  await alice.put(path('rooms', room, 'typing', alice.userId), { typing: true, timeout: 600_000 });
  await expect.poll(typers).toEqual([alice.userId]);
  time.advance(119_999);
  expect(await typers()).toEqual([alice.userId]);
  time.advance(1);
  await expect.poll(typers).not.toEqual([alice.userId]);
  await homeserver.remove();
});

/** Lazy-loaded members: clients that know a member receive its changes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, say } from '../rooms/client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const as = (name: string) => homeserver.as(name);
const rename = (name: string, displayname: string) =>
  as(name).put(path('profile', as(name).userId, 'displayname'), { displayname });

type Shown = {
  state?: { events: ClientEvent[] };
  state_after?: { events: ClientEvent[] };
  timeline: { events: ClientEvent[] };
};
type ClientEvent = { type: string; state_key?: string; content: { displayname?: string } };

/** Returns the display name of a member, as a client knows it after this reply. */
const nameIn = ({ state, state_after, timeline }: Shown, userId: string) =>
  [...(state?.events ?? []), ...timeline.events, ...(state_after?.events ?? [])].findLast(
    ({ type, state_key }) => type === 'm.room.member' && state_key === userId,
  )?.content.displayname;

test.each([
  ['the newest events', 'state', { limit: 1 }],
  ['only messages', 'state', { types: ['m.room.message'] }],
  ['the newest events', 'state_after', { limit: 1 }],
])(
  'a client that is shown %s, with the %s, and has an old member event gets the current one',
  async (_, state, timeline) => {
    const room = await makeRoom(as('alice'), { name: 'Lazy' });
    for (const name of ['bob', 'carol']) await change(as(name), room, 'join');
    await say(as('bob'), room, 'hello');
    const next = async (since?: string, full = false): Promise<{ next_batch: string; shown: Shown }> => {
      const filter = { room: { rooms: [room], timeline, state: { lazy_load_members: true } } };
      const query = new URLSearchParams({
        filter: JSON.stringify(filter),
        use_state_after: String(state === 'state_after'),
        ...(since && { since }),
        ...(full && { full_state: 'true' }),
      });
      const { status, body } = await as('alice').get(`${path('sync')}?${query}`);
      expect(status).toBe(200);
      return { next_batch: body.next_batch, shown: (body.rooms.join ?? body.rooms.leave)[room] };
    };
    const { userId } = as('bob');
    await rename('bob', 'Bob');
    const first = await next();
    await say(as('bob'), room, 'once more');
    const { next_batch: since } = await next(first.next_batch);

    await rename('bob', 'Robert');
    await say(as('carol'), room, 'who was that?');
    const all = await next(since, true);
    expect(nameIn(all.shown, userId)).toBe('Robert');

    // Absent between two syncs.
    await change(as('alice'), room, 'leave');
    await rename('bob', 'Rob');
    await change(as('alice'), room, 'join');
    const back = await next(all.next_batch);
    expect(nameIn(back.shown, userId)).toBe('Rob');

    // Absent during a sync that reports it.
    await change(as('alice'), room, 'leave');
    await rename('bob', 'Bobby');
    const left = await next(back.next_batch);
    expect(nameIn(left.shown, userId)).not.toBe('Bobby');
    await change(as('alice'), room, 'join');
    expect(nameIn((await next(left.next_batch)).shown, userId)).toBe('Bobby');
  },
);

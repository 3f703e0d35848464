/** Sync for a room that the user left or was removed from: everything until then, and their current membership. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, say, setState } from '../rooms/client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const as = (name: string) => homeserver.as(name);

type ClientEvent = {
  type: string;
  state_key?: string;
  content: { membership?: string; body?: string; topic?: string };
};

const gistOf = ({ content: { membership, body, topic } }: ClientEvent) => membership ?? body ?? topic;

test.each<[string, object, string, string[], boolean]>([
  ['all that is new', {}, 'state', ['before', 'leave', 'ban'], false],
  ['the newest event', { limit: 1 }, 'state', ['ban'], true],
  ['no event', { limit: 0 }, 'state', [], true],
  ['only messages', { types: ['m.room.message'] }, 'state', ['before'], false],
  ['no timeline', { rooms: [] }, 'state', [], false],
  ['no timeline, and the state after it,', { rooms: [] }, 'state_after', [], false],
  ['all that is new, and the state after it,', {}, 'state_after', ['before', 'leave', 'ban'], false],
])(
  'a user who was kicked, then banned, and is shown %s sees both',
  async (_, timeline, state, shown, limited) => {
    const room = await makeRoom(as('alice'), { topic: 'old' });
    await change(as('bob'), room, 'join');
    const next = async (query: Record<string, string> = {}) => {
      const filter = JSON.stringify({ room: { rooms: [room], timeline } });
      const parameters = { filter, use_state_after: String(state === 'state_after'), ...query };
      const { status, body } = await as('bob').get(`${path('sync')}?${new URLSearchParams(parameters)}`);
      expect(status).toBe(200);
      return body;
    };
    const { next_batch: since } = await next();
    await say(as('alice'), room, 'before');
    await setState(as('alice'), room, 'm.room.topic', { topic: 'then' });
    await change(as('alice'), room, 'kick', as('bob'));
    await say(as('alice'), room, 'without bob');
    await setState(as('alice'), room, 'm.room.topic', { topic: 'without bob' });
    await change(as('alice'), room, 'ban', as('bob'));
    await say(as('alice'), room, 'ever after');

    for (const query of [{ since }, {}] as Record<string, string>[]) {
      const { rooms, next_batch } = await next(query);
      expect(Object.keys(rooms)).toEqual(['leave']);
      const { timeline: found, [state]: described } = rooms.leave[room];
      const events: ClientEvent[] =
        state === 'state' ? [...described.events, ...found.events] : [...found.events, ...described.events];
      const stateOf = (type: string, key: string) =>
        events.findLast((event) => event.type === type && event.state_key === key)?.content;
      expect(stateOf('m.room.member', as('bob').userId)).toMatchObject({ membership: 'ban' });
      expect(stateOf('m.room.topic', '')).toEqual({ topic: 'then' });
      expect(events.map(gistOf).filter((text) => /without|ever/.test(text ?? ''))).toEqual([]);
      if (query.since) {
        expect(found.events.map(gistOf).filter((text: string) => text !== 'then')).toEqual(shown);
        expect(found.limited).toBe(limited);
      }
      expect((await next({ since: next_batch })).rooms).toBeUndefined();
    }
  },
);

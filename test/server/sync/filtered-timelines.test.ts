/** State events that a filter removes from a timeline reach the client as state, so its room state is correct. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom, path, setState } from '../rooms/client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const as = (name: string) => homeserver.as(name);

type ClientEvent = { event_id: string; type: string; state_key?: string; content: object };

/** Returns the content of a state event, as a client knows it after these events. */
const stateIn = (events: readonly ClientEvent[], type: string) =>
  events.findLast((event) => event.type === type && event.state_key === '')?.content;

test.each([
  [
    'whom it leaves out',
    'm.room.topic',
    { topic: 'old' },
    { topic: 'new' },
    { not_senders: ['@bob:localhost'] },
  ],
  ['who sends no address', 'm.room.avatar', { url: 'mxc://localhost/old' }, {}, { contains_url: true }],
])(
  "a later state change by %s isn't overridden by an earlier one that is shown",
  async (_, type, old, now, timeline) => {
    const everybody = { users_default: 100 };
    const room = await makeRoom(as('alice'), { power_level_content_override: everybody });
    await change(as('bob'), room, 'join');
    const filter = { room: { rooms: [room], timeline, state: {} } };
    const next = async (query: Record<string, string> = {}) => {
      const parameters = new URLSearchParams({ filter: JSON.stringify(filter), ...query });
      const { status, body } = await as('alice').get(`${path('sync')}?${parameters}`);
      expect(status).toBe(200);
      return { since: body.next_batch, shown: body.rooms.join[room] };
    };
    const { since } = await next();
    const first = await setState(as('alice'), room, 'org.example', { url: 'x' });
    const undone = await setState(as('alice'), room, type, old);
    await setState(as('bob'), room, type, now);
    const last = await setState(as('alice'), room, 'org.example.last', { url: 'x' });

    for (const query of [{ since }, {}] as Record<string, string>[]) {
      const { shown } = await next(query);
      const { events, limited, prev_batch } = shown.timeline;
      expect(stateIn([...shown.state.events, ...events], type)).toEqual(now);
      // The omitted events can still be read.
      expect(events).toMatchObject([{ event_id: last }]);
      expect(limited).toBe(true);
      const parameters = new URLSearchParams({
        dir: 'b',
        from: prev_batch,
        filter: JSON.stringify(timeline),
      });
      const { body } = await as('alice').get(`${path('rooms', room, 'messages')}?${parameters}`);
      expect(body.chunk).toMatchObject([{ event_id: undone }, { event_id: first }, ...body.chunk.slice(2)]);
    }
    // With the state after the timeline, the client gets the final state.
    const { shown } = await next({ since, use_state_after: 'true' });
    expect(shown.timeline.events.map(({ event_id }: ClientEvent) => event_id)).toEqual([first, undone, last]);
    expect(shown.timeline.limited).toBe(false);
    expect(stateIn(shown.state_after.events, type)).toEqual(now);
  },
);

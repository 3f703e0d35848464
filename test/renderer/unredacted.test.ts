/** Content that a redaction left, found by querying the server. */
import { expect, test } from 'vitest';
import { unredactedOf, unredactedReported } from '../../renderer/api/unredacted.ts';
import { NoSuchEndpoint, NotFound } from '../../renderer/transport/refusal.ts';
import type { Server } from '../../renderer/transport/server.ts';
import { sampleReport } from './sample-reports.ts';

const mallory = '@mallory:x';
const redacted = { unsigned: { redacted_because: {} } };
const message = (event_id: string, more: object = {}) => ({
  ...{ event_id, type: 'm.room.message', sender: mallory, content: {} },
  ...more,
});
const left = '!left:x';
const joined = '!joined:x';
const events: Record<string, ReturnType<typeof message>[]> = {
  [left]: [
    message('$gone', redacted),
    message('$kept'),
    message('$other', { sender: '@ann:x' }),
    message('$redaction', { type: 'm.room.redaction' }),
  ],
  [joined]: [
    message('$poll', { type: 'org.matrix.msc3381.poll.start' }),
    message('$member', { type: 'm.room.member', state_key: mallory }),
    message('$name', { type: 'm.room.member', state_key: mallory }),
  ],
};
const reports = [
  { id: 1, room_id: left, event_id: '$kept' },
  { id: 2, room_id: left, event_id: '$gone' },
  { id: 3, room_id: joined, event_id: '$poll' },
  { id: 4, room_id: joined, event_id: '$poll' },
  { id: 5, room_id: '!purged:x', event_id: '$purged' },
].map((each) => ({ ...sampleReport(each.id), ...each, sender: mallory, received_ts: each.id }));

/** Returns a server that lists all of a user's memberships, or only their joined rooms. */
const serving = (listsMemberships: boolean, inRooms = events) =>
  ({
    id: 'x',
    async get(_shape: unknown, path: string) {
      const [pathname = ''] = decodeURIComponent(path).split('?');
      const [, , resource, room = '', what, event] = pathname.split('/');
      if (resource === 'event_reports') return { event_reports: reports, total: reports.length };
      if (what === 'memberships') {
        if (!listsMemberships) throw new NoSuchEndpoint();
        return { memberships: { [left]: 'leave', [joined]: 'join' } };
      }
      if (what === 'joined_rooms') return { joined_rooms: [joined], total: 1 };
      if (what === 'messages') return { chunk: inRooms[room] ?? [] };
      const found = Object.entries(events).flatMap(([room_id, all]) =>
        all.map((each) => ({ ...each, room_id })),
      );
      const one = found.find(({ event_id }) => event_id === (resource === 'fetch_event' ? room : event));
      if (!one) throw new NotFound();
      return { event: one };
    },
  }) as unknown as Server;

const failures = { $name: 'No power', $gone: 'Not seen' };
const left3 = [
  { roomId: left, eventId: '$kept', sender: mallory, reports: [1] },
  { roomId: joined, eventId: '$poll', sender: mallory, reports: [3, 4] },
  { roomId: joined, eventId: '$name', sender: mallory, why: 'No power' },
];

test('finds remaining content of every type in all rooms of a user, and no removed content', async () => {
  const found = await unredactedOf(serving(true), mallory, { limit: 10, failures, reports: [1, 2, 3, 4, 5] });
  expect(found).toEqual(left3);
});

test('without a list of all rooms, finds reported events and those the server failed on', async () => {
  const found = await unredactedOf(serving(false), mallory, {
    limit: 10,
    failures,
    reports: [1, 2, 3, 4, 5],
  });
  expect(found).toEqual(left3);
  expect(await unredactedReported(serving(false), mallory, [2, 4])).toEqual([
    { roomId: joined, eventId: '$poll', sender: mallory, reports: [4] },
  ]);
});

test('memberships and reactions count only beside readable content', async () => {
  const reaction = (event_id: string, key: string) =>
    message(event_id, { type: 'm.reaction', content: { 'm.relates_to': { rel_type: 'm.annotation', key } } });
  const leftOf = async (...chunk: ReturnType<typeof message>[]) => {
    const failures: Record<string, string> = chunk.some(({ event_id: id }) => id === '$name')
      ? { $name: 'No power' }
      : {};
    const asked = { limit: 10, failures, reports: [] };
    const found = await unredactedOf(serving(true, { [left]: chunk }), mallory, asked);
    return found.map(({ eventId }) => eventId);
  };
  expect(await leftOf(reaction('$like', '👍🏽'), reaction('$family', '👨‍👩‍👧‍👦'))).toEqual([]);
  expect(await leftOf(reaction('$like', '👍🏽'), message('$kept'))).toEqual(['$like', '$kept']);
  const name = message('$name', { type: 'm.room.member', state_key: mallory });
  expect(await leftOf(name, reaction('$like', '👍🏽'))).toEqual([]);
  expect(await leftOf(name, message('$kept'))).toEqual(['$name', '$kept']);
  expect(await leftOf(reaction('$text', 'buy at evil.example'))).toEqual(['$text']);
});

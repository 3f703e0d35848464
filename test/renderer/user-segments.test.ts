import { expect, test } from 'vitest';
import { hasTrait } from '../../renderer/features/rooms/room-segment.ts';
import { matchesSegment, type SegmentUser } from '../../renderer/features/users/segments/user-segment.ts';

const day = (text: string) => new Date(`${text}T12:00`).getTime();
const user = (more: Partial<SegmentUser> = {}): SegmentUser => ({
  name: '@a:x',
  creation_ts: day('2026-03-01'),
  last_seen_ts: day('2026-04-01'),
  ...more,
});

test.each([
  ['known', user({ suspended: true }), { is: ['suspended'] as const }, true],
  ['not in the list', user(), { is: ['suspended'] as const }, undefined],
  ['another filter decides', user({ locked: false }), { is: ['suspended', 'locked'] as const }, false],
  ['both', user({ suspended: true, locked: true }), { is: ['suspended', 'locked'] as const }, true],
  ['deactivated', user({ deactivated: true }), { is: ['deactivated'] as const }, true],
  ['not deactivated', user({ deactivated: false }), { is: ['deactivated'] as const }, false],
  ['a bridge', user({ appservice_id: 'irc' }), { is: ['bridged'] as const }, true],
  ['a regular user', user({ appservice_id: null }), { is: ['bridged'] as const }, false],
  [
    'only a phone',
    user({ threepids: [{ medium: 'msisdn', address: '1' }] }),
    { is: ['no-email'] as const },
    true,
  ],
  ['a bot', user({ user_type: 'bot' }), { is: ['no-bot'] as const }, false],
  ['no bot', user({ user_type: null }), { is: ['no-bot'] as const }, true],
  ['never seen', user({ last_seen_ts: null }), { is: ['never-seen'] as const }, true],
  ['seen since', user(), { inactive: '2026-04-01' }, false],
  ['seen before', user(), { inactive: '2026-04-02' }, true],
  ['never seen, told as 0', user({ last_seen_ts: 0 }), { inactive: '2026-02-01' }, false],
  ['never seen, new', user({ last_seen_ts: null }), { inactive: '2026-02-01' }, false],
  ['the first day', user(), { from: '2026-03-01', to: '2026-03-01' }, true],
  ['the day after', user(), { to: '2026-02-28' }, false],
  [
    'a provider',
    user({ external_ids: [{ auth_provider: 'oidc-Keycloak', external_id: 'abc' }] }),
    { idp: 'keycloak' },
    true,
  ],
  [
    'an ID of a provider',
    user({ external_ids: [{ auth_provider: 'oidc', external_id: 'Abc' }] }),
    { idp: 'OIDC:abc' },
    true,
  ],
])('a user segment: %s', (_case, of, segment, expected) => {
  expect(matchesSegment(of, segment)).toBe(expected);
});

test('a room without local members is abandoned, even with many remote ones', () => {
  expect(hasTrait({ room_id: '!a', joined_members: 3, joined_local_members: 0 }, 'abandoned')).toBe(true);
  expect(hasTrait({ room_id: '!a', joined_members: 3, joined_local_members: 1 }, 'abandoned')).toBe(false);
});

import { expect, test } from 'vitest';
import type { JsonObject } from '../../shared/api/common.ts';
import { redactEvent, roomVersions } from '../../shared/redaction.ts';

const everyKey = {
  event_id: '$e',
  type: 'm.room.message',
  room_id: '!r:x',
  sender: '@a:x',
  state_key: '',
  content: { body: 'rude' },
  hashes: { sha256: 'h' },
  signatures: { x: { 'ed25519:1': 's' } },
  depth: 3,
  prev_events: ['$p'],
  prev_state: [],
  auth_events: ['$a'],
  origin: 'x',
  origin_server_ts: 1,
  membership: 'join',
  unsigned: { age_ts: 1 },
  redacts: '$other',
  extra: true,
};

test.each([...roomVersions])('room version %s keeps its protected keys', (version) => {
  const kept = Object.keys(redactEvent(everyKey, version)).sort();
  const protectedEverywhere = [
    'auth_events',
    'content',
    'depth',
    'event_id',
    'hashes',
    'origin_server_ts',
    'prev_events',
    'room_id',
    'sender',
    'signatures',
    'state_key',
    'type',
  ];
  const until10 = [...protectedEverywhere, 'membership', 'origin', 'prev_state'].sort();
  expect(kept).toEqual(Number(version) < 11 ? until10 : protectedEverywhere);
  expect(redactEvent(everyKey, version).content).toEqual({});
});

const powerLevels = {
  ban: 1,
  events: { a: 1 },
  events_default: 1,
  kick: 1,
  redact: 1,
  state_default: 1,
  users: { a: 1 },
  users_default: 1,
};
const signed = { mxid: '@a:x', token: 't' };

test.each<[string, string, JsonObject, JsonObject]>([
  ['1', 'm.room.aliases', { aliases: ['#a:x'], x: 1 }, { aliases: ['#a:x'] }],
  ['5', 'm.room.aliases', { aliases: ['#a:x'], x: 1 }, { aliases: ['#a:x'] }],
  ['6', 'm.room.aliases', { aliases: ['#a:x'], x: 1 }, {}],
  ['7', 'm.room.aliases', { aliases: ['#a:x'], x: 1 }, {}],
  ['7', 'm.room.join_rules', { join_rule: 'knock', allow: [], x: 1 }, { join_rule: 'knock' }],
  ['8', 'm.room.join_rules', { join_rule: 'knock', allow: [], x: 1 }, { join_rule: 'knock', allow: [] }],
  [
    '8',
    'm.room.member',
    { membership: 'join', join_authorised_via_users_server: '@a:x' },
    { membership: 'join' },
  ],
  [
    '9',
    'm.room.member',
    { membership: 'join', join_authorised_via_users_server: '@a:x', displayname: 'x' },
    { membership: 'join', join_authorised_via_users_server: '@a:x' },
  ],
  ['10', 'm.room.member', { membership: 'invite', third_party_invite: { signed } }, { membership: 'invite' }],
  [
    '11',
    'm.room.member',
    { membership: 'invite', third_party_invite: { signed, display_name: 'x' } },
    { membership: 'invite', third_party_invite: { signed } },
  ],
  ['11', 'm.room.member', { membership: 'invite', third_party_invite: 'x' }, { membership: 'invite' }],
  ['10', 'm.room.create', { creator: '@a:x', room_version: '10' }, { creator: '@a:x' }],
  ['11', 'm.room.create', { room_version: '11', x: 1 }, { room_version: '11', x: 1 }],
  ['10', 'm.room.power_levels', { ...powerLevels, invite: 1, x: 1 }, powerLevels],
  ['11', 'm.room.power_levels', { ...powerLevels, invite: 1, x: 1 }, { ...powerLevels, invite: 1 }],
  ['10', 'm.room.redaction', { redacts: '$a', reason: 'x' }, {}],
  ['11', 'm.room.redaction', { redacts: '$a', reason: 'x' }, { redacts: '$a' }],
  [
    '11',
    'm.room.history_visibility',
    { history_visibility: 'shared', x: 1 },
    { history_visibility: 'shared' },
  ],
  ['11', 'constructor', { x: 1 }, {}],
  ['11', '__proto__', { x: 1 }, {}],
])('in room version %s, content of %s', (version, type, content, kept) => {
  expect(redactEvent({ type, content }, version)).toEqual({ type, content: kept });
});

test('leaves the original event unchanged', () => {
  const before = structuredClone(everyKey);
  redactEvent(everyKey, '11');
  expect(everyKey).toEqual(before);
});

test('returns content even if the event has none', () => {
  expect(redactEvent({ type: 'm.room.message', content: 'x' }, '11')).toEqual({
    type: 'm.room.message',
    content: {},
  });
});

test.each(['13', '', '011', 'org.example.1', 'constructor'])(`doesn't guess room version "%s"`, (version) => {
  expect(redactEvent(everyKey, version)).toBeUndefined();
});

import { describe, expect, test } from 'vitest';
import { type AuthState, authorize } from '../../../server/conversation/rooms/events/authorize.ts';
import type { JsonObject } from '../../../shared/api/common.ts';

const [founder, moderator, member, equal] = ['@founder:x', '@moderator:x', '@member:x', '@equal:x'];
const [invited, banned, knocking, gone, stranger] = [
  '@invited:x',
  '@banned:x',
  '@knocking:x',
  '@gone:x',
  '@stranger:x',
];

const levels: JsonObject = {
  users: { [founder]: 100, [moderator]: 50, [equal]: 50, '@bannedadmin:x': 60 },
  users_default: 0,
  events: { 'm.room.power_levels': 50, 'org.example.vip': 75 },
  events_default: 0,
  state_default: 50,
  ban: 50,
  kick: 40,
  invite: 50,
  redact: 50,
};

type State = Record<string, { sender: string; content: JsonObject } | undefined>;

const state: State = {
  'm.room.create|': { sender: founder, content: { room_version: '11' } },
  'm.room.power_levels|': { sender: founder, content: levels },
  'm.room.join_rules|': { sender: founder, content: { join_rule: 'invite' } },
  ...Object.fromEntries(
    [
      [founder, 'join'],
      [moderator, 'join'],
      [equal, 'join'],
      [member, 'join'],
      [invited, 'invite'],
      [banned, 'ban'],
      ['@bannedadmin:x', 'ban'],
      [knocking, 'knock'],
      [gone, 'leave'],
    ].map(([user, membership]) => [
      `m.room.member|${user}`,
      { sender: String(user), content: { membership } },
    ]),
  ),
};

const withRule = (join_rule: unknown): State => ({
  'm.room.join_rules|': { sender: founder, content: { join_rule } },
});

type Draft = { type: string; sender: string; stateKey?: string; content?: JsonObject };

function attempt(draft: Draft, change: State = {}, depth = 10): string {
  const current: State = { ...state, ...change };
  const read: AuthState = (type, stateKey) => current[`${type}|${stateKey}`];
  try {
    authorize({ content: {}, ...draft, roomId: '!r:x', depth }, read);
    return 'allowed';
  } catch (error) {
    expect(error).toMatchObject({ status: 403 });
    return 'refused';
  }
}

const membership = (sender: string, target: string, value: unknown, more: JsonObject = {}): Draft => ({
  type: 'm.room.member',
  sender,
  stateKey: target,
  content: { membership: value, ...more },
});

describe('creating the room', () => {
  const create: Draft = {
    type: 'm.room.create',
    sender: founder,
    stateKey: '',
    content: { room_version: '11' },
  };
  test.each<[string, Draft, number, string]>([
    ['first', create, 0, 'allowed'],
    ['twice', create, 1, 'refused'],
    ['of another version', { ...create, content: { room_version: '2' } }, 0, 'refused'],
    ['without a version', { ...create, content: {} }, 0, 'refused'],
    ['by a user of another server', { ...create, sender: '@a:y' }, 0, 'refused'],
  ])('%s', (_, draft, depth, outcome) => {
    expect(attempt(draft, {}, depth)).toBe(outcome);
  });

  test('no event is allowed in a room without create event', () => {
    expect(attempt({ type: 'x', sender: founder }, { 'm.room.create|': undefined })).toBe('refused');
  });

  test('remote servers are refused in an unfederated room', () => {
    const closed: State = { 'm.room.create|': { sender: founder, content: { 'm.federate': false } } };
    const joined: State = { 'm.room.member|@a:y': { sender: '@a:y', content: { membership: 'join' } } };
    expect(attempt({ type: 'x', sender: '@a:y' }, joined)).toBe('allowed');
    expect(attempt({ type: 'x', sender: '@a:y' }, { ...joined, ...closed })).toBe('refused');
  });
});

describe('joining', () => {
  const join = (user: string, more?: JsonObject) => membership(user, user, 'join', more);
  const first: State = {
    [`m.room.member|${founder}`]: undefined,
    'm.room.join_rules|': undefined,
    'm.room.power_levels|': undefined,
  };
  test.each<[string, Draft, State, number, string]>([
    ['the founder first', join(founder), first, 1, 'allowed'],
    ['the founder first, later', join(founder), first, 2, 'refused'],
    ['another user', join(stranger), first, 1, 'refused'],
    ['a member again', join(member), {}, 10, 'allowed'],
    ['an invited user', join(invited), {}, 10, 'allowed'],
    ['a stranger', join(stranger), {}, 10, 'refused'],
    ['a user who left', join(gone), {}, 10, 'refused'],
    ['a user who knocks', join(knocking), withRule('knock'), 10, 'refused'],
    ['for another user', membership(moderator, invited, 'join'), {}, 10, 'refused'],
    ['a stranger, public', join(stranger), withRule('public'), 10, 'allowed'],
    ['a banned user, public', join(banned), withRule('public'), 10, 'refused'],
    ['a banned user', join(banned), {}, 10, 'refused'],
    ['an invited user, knock', join(invited), withRule('knock'), 10, 'allowed'],
    ['a stranger, knock', join(stranger), withRule('knock'), 10, 'refused'],
    ['a stranger, unknown rule', join(stranger), withRule('open'), 10, 'refused'],
    ['a stranger, rule of a wrong type', join(stranger), withRule(['public']), 10, 'refused'],
    ['a stranger, private', join(stranger), withRule('private'), 10, 'refused'],
    ['a stranger, no rule', join(stranger), { 'm.room.join_rules|': undefined }, 10, 'refused'],
  ])('%s', (_, draft, change, depth, outcome) => {
    expect(attempt(draft, change, depth)).toBe(outcome);
  });

  const via = (authority: unknown) =>
    join(stranger, { join_authorised_via_users_server: authority } as JsonObject);
  test.each<[string, Draft, string]>([
    ["in no one's name", join(stranger), 'refused'],
    ["in a moderator's name", via(moderator), 'allowed'],
    ['in the name of a member who may not invite', via(member), 'refused'],
    ["in a stranger's name", via(stranger), 'refused'],
    ['in the name of a number', via(5), 'refused'],
    ['invited', join(invited), 'allowed'],
  ])('a restricted room %s', (_, draft, outcome) => {
    expect(attempt(draft, withRule('restricted'))).toBe(outcome);
    expect(attempt(draft, withRule('knock_restricted'))).toBe(outcome);
  });
});

test.each<[string, Draft, State, string]>([
  ['a moderator', membership(moderator, stranger, 'invite'), {}, 'allowed'],
  ['a member below the level', membership(member, stranger, 'invite'), {}, 'refused'],
  ['a stranger', membership(stranger, gone, 'invite'), {}, 'refused'],
  ['an invited user', membership(invited, stranger, 'invite'), {}, 'refused'],
  ['a member of a member', membership(moderator, member, 'invite'), {}, 'refused'],
  ['of a banned user', membership(moderator, banned, 'invite'), {}, 'refused'],
  ['of an invited user again', membership(moderator, invited, 'invite'), {}, 'allowed'],
  ['a user who knocked', membership(moderator, knocking, 'invite'), {}, 'allowed'],
  [
    'by address',
    membership(moderator, stranger, 'invite', { third_party_invite: { signed: {} } }),
    {},
    'refused',
  ],
])('inviting: %s', (_, draft, change, outcome) => {
  expect(attempt(draft, change)).toBe(outcome);
});

test.each<[string, Draft, string]>([
  ['a member', membership(member, member, 'leave'), 'allowed'],
  ['an invited user', membership(invited, invited, 'leave'), 'allowed'],
  ['a user who knocks', membership(knocking, knocking, 'leave'), 'allowed'],
  ['a user who left', membership(gone, gone, 'leave'), 'refused'],
  ['a banned user', membership(banned, banned, 'leave'), 'refused'],
  ['a stranger', membership(stranger, stranger, 'leave'), 'refused'],
  ['kicked by a moderator', membership(moderator, member, 'leave'), 'allowed'],
  ['a withdrawn invitation', membership(moderator, invited, 'leave'), 'allowed'],
  ['kicked by a member', membership(member, invited, 'leave'), 'refused'],
  ['a moderator kicked by an equal', membership(equal, moderator, 'leave'), 'refused'],
  ['the founder kicked', membership(moderator, founder, 'leave'), 'refused'],
  ['kicked by a stranger', membership(stranger, member, 'leave'), 'refused'],
  ['a ban lifted', membership(moderator, banned, 'leave'), 'allowed'],
  ['a ban lifted by a member', membership(member, banned, 'leave'), 'refused'],
  ["a superior's ban lifted", membership(moderator, '@bannedadmin:x', 'leave'), 'refused'],
])('leaving: %s', (_, draft, outcome) => {
  expect(attempt(draft)).toBe(outcome);
});

test('a user who may kick may not unban', () => {
  const change: State = {
    'm.room.power_levels|': { sender: founder, content: { ...levels, ban: 80 } },
  };
  expect(attempt(membership(moderator, member, 'leave'), change)).toBe('allowed');
  expect(attempt(membership(moderator, banned, 'leave'), change)).toBe('refused');
});

test.each<[string, Draft, string]>([
  ['a member', membership(moderator, member, 'ban'), 'allowed'],
  ['a stranger', membership(moderator, stranger, 'ban'), 'allowed'],
  ['an equal', membership(moderator, equal, 'ban'), 'refused'],
  ['oneself', membership(moderator, moderator, 'ban'), 'refused'],
  ['the founder', membership(moderator, founder, 'ban'), 'refused'],
  ['by a member', membership(member, stranger, 'ban'), 'refused'],
  ['by a stranger', membership(stranger, member, 'ban'), 'refused'],
])('banning: %s', (_, draft, outcome) => {
  expect(attempt(draft)).toBe(outcome);
});

test.each<[string, Draft, State, string]>([
  ['a stranger', membership(stranger, stranger, 'knock'), withRule('knock'), 'allowed'],
  ['restricted', membership(stranger, stranger, 'knock'), withRule('knock_restricted'), 'allowed'],
  ['again', membership(knocking, knocking, 'knock'), withRule('knock'), 'allowed'],
  ['in a room where no one may', membership(stranger, stranger, 'knock'), withRule('invite'), 'refused'],
  ['at a public room', membership(stranger, stranger, 'knock'), withRule('public'), 'refused'],
  ['a member', membership(member, member, 'knock'), withRule('knock'), 'refused'],
  ['an invited user', membership(invited, invited, 'knock'), withRule('knock'), 'refused'],
  ['a banned user', membership(banned, banned, 'knock'), withRule('knock'), 'refused'],
  ['for another', membership(member, stranger, 'knock'), withRule('knock'), 'refused'],
])('knocking: %s', (_, draft, change, outcome) => {
  expect(attempt(draft, change)).toBe(outcome);
});

test.each<[string, Draft]>([
  ['an unknown one', membership(founder, member, 'owner')],
  ['none', membership(founder, member, undefined)],
  ['a number', membership(founder, member, 1)],
  ['of no one', { type: 'm.room.member', sender: founder, content: { membership: 'leave' } }],
])('a membership is one of five: %s', (_, draft) => {
  expect(attempt(draft)).toBe('refused');
});

test.each<[string, Draft, State, string]>([
  ['a message', { type: 'm.room.message', sender: member }, {}, 'allowed'],
  ['a message of a stranger', { type: 'm.room.message', sender: stranger }, {}, 'refused'],
  ['a message of an invited user', { type: 'm.room.message', sender: invited }, {}, 'refused'],
  ['a message of a banned user', { type: 'm.room.message', sender: banned }, {}, 'refused'],
  ['an event that needs a level', { type: 'org.example.vip', sender: moderator }, {}, 'refused'],
  ['an event that needs a level, with it', { type: 'org.example.vip', sender: founder }, {}, 'allowed'],
  ['state of a member', { type: 'a', sender: member, stateKey: '' }, {}, 'refused'],
  ['state of a moderator', { type: 'a', sender: moderator, stateKey: '' }, {}, 'allowed'],
  ['own state', { type: 'a', sender: moderator, stateKey: moderator }, {}, 'allowed'],
  ["another user's state", { type: 'a', sender: founder, stateKey: moderator }, {}, 'refused'],
  [
    'an invitation by address',
    { type: 'm.room.third_party_invite', sender: member, stateKey: 't' },
    {},
    'refused',
  ],
  [
    'one of a moderator',
    { type: 'm.room.third_party_invite', sender: moderator, stateKey: 't' },
    {},
    'allowed',
  ],
  [
    'anything of anyone where nobody has a level',
    { type: 'a', sender: member, stateKey: '' },
    { 'm.room.power_levels|': undefined },
    'allowed',
  ],
])('sending: %s', (_, draft, change, outcome) => {
  expect(attempt(draft, change)).toBe(outcome);
});

describe('changing power levels', () => {
  const change = (sender: string, content: JsonObject): Draft => ({
    type: 'm.room.power_levels',
    sender,
    stateKey: '',
    content,
  });
  const users = levels.users as Record<string, number>;
  const without = (user: string) =>
    Object.fromEntries(Object.entries(users).filter(([name]) => name !== user));

  test.each<[string, Draft, string]>([
    ['nothing', change(moderator, levels), 'allowed'],
    ['by a member', change(member, levels), 'refused'],
    [
      'someone up to the own level',
      change(moderator, { ...levels, users: { ...users, [member]: 50 } }),
      'allowed',
    ],
    ['someone above it', change(moderator, { ...levels, users: { ...users, [member]: 51 } }), 'refused'],
    ['oneself up', change(moderator, { ...levels, users: { ...users, [moderator]: 51 } }), 'refused'],
    ['oneself down', change(moderator, { ...levels, users: { ...users, [moderator]: 10 } }), 'allowed'],
    ['removing the own level', change(moderator, { ...levels, users: without(moderator) }), 'allowed'],
    ['an equal down', change(moderator, { ...levels, users: { ...users, [equal]: 0 } }), 'refused'],
    ['removing an equal level', change(moderator, { ...levels, users: without(equal) }), 'refused'],
    ['the founder down', change(moderator, { ...levels, users: { ...users, [founder]: 0 } }), 'refused'],
    ['removing all levels', change(moderator, { ...levels, users: {} }), 'refused'],
    ['removing the users', change(moderator, { ...levels, users: undefined }), 'refused'],
    ['a threshold', change(moderator, { ...levels, kick: 50 }), 'allowed'],
    ['a threshold above oneself', change(moderator, { ...levels, kick: 51 }), 'refused'],
    ['a default above oneself', change(moderator, { ...levels, users_default: 51 }), 'refused'],
    ['a type above oneself', change(moderator, { ...levels, events: { a: 51 } }), 'refused'],
    [
      'a type that is above oneself',
      change(moderator, { ...levels, events: { ...(levels.events as object), 'org.example.vip': 50 } }),
      'refused',
    ],
    ['removing such a type', change(moderator, { ...levels, events: {} }), 'refused'],
    [
      'a notification above oneself',
      change(moderator, { ...levels, notifications: { room: 51 } }),
      'refused',
    ],
    ['by the founder', change(founder, { ...levels, users: { [founder]: 100 }, ban: 100 }), 'allowed'],
    ['a level as text', change(founder, { ...levels, ban: '50' }), 'refused'],
    ['a level as a float', change(founder, { ...levels, ban: 50.5 }), 'refused'],
    ["a user's level as text", change(founder, { ...levels, users: { ...users, [member]: '1' } }), 'refused'],
    ['of an invalid user ID', change(founder, { ...levels, users: { ...users, member: 1 } }), 'refused'],
    ['the users as a list', change(founder, { ...levels, users: [] }), 'refused'],
    ['the types as null', change(founder, { ...levels, events: null }), 'refused'],
  ])('%s', (_, draft, outcome) => {
    expect(attempt(draft)).toBe(outcome);
  });

  test('the first ones may be anything valid', () => {
    const none: State = { 'm.room.power_levels|': undefined };
    expect(attempt(change(founder, { users: { [member]: 1000 } }), none)).toBe('allowed');
    expect(attempt(change(founder, { users: { [member]: 'x' } }), none)).toBe('refused');
  });

  test("an inherited object property isn't read as a level", () => {
    const draft: Draft = { type: 'constructor', sender: member };
    expect(attempt(draft)).toBe('allowed');
    expect(attempt({ type: '__proto__', sender: member })).toBe('allowed');
  });
});

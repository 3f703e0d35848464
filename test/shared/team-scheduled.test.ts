import { expect, test } from 'vitest';
import type { TeamEntry } from '../../shared/team/entries.ts';
import {
  isLate,
  isScheduledFor,
  laterDecision,
  limitChanges,
  type ScheduledAction,
  type ScheduledTarget,
} from '../../shared/team/scheduled.ts';

const mallory: ScheduledTarget = { subject: { kind: 'user', user_id: '@mallory:h' } };
const inLobby: ScheduledTarget = { ...mallory, room_id: '!lobby:h' };
const lobby: ScheduledTarget = { subject: { kind: 'room', room_id: '!lobby:h' } };

const scheduled = (change: Partial<ScheduledAction> = {}): ScheduledAction => ({
  key: 'before',
  since: 10,
  action: 'unsuspend-user',
  ends: 'suspend-user',
  at: 1000,
  by: '@ada:h',
  ...mallory,
  ...change,
});
const suspend = { id: 'suspend-user', inverse: 'unsuspend-user' };
const lift = { id: 'unsuspend-user' };
const ban = { action: 'unban-member', ends: 'ban-member' };

test.each<[string, ScheduledAction, { id: string; inverse?: string }, ScheduledTarget, boolean]>([
  ['the same restriction again', scheduled(), suspend, mallory, true],
  ['its end before the time', scheduled(), lift, mallory, true],
  ['another restriction', scheduled(), { id: 'lock-user', inverse: 'unlock-user' }, mallory, false],
  [
    'the restriction of another user',
    scheduled(),
    suspend,
    { subject: { kind: 'user', user_id: '@ben:h' } },
    false,
  ],
  ['a ban from the same room', scheduled({ ...ban, ...inLobby }), { id: 'ban-member' }, inLobby, true],
  [
    'a ban from another room',
    scheduled({ ...ban, ...inLobby }),
    { id: 'ban-member' },
    { ...inLobby, room_id: '!other:h' },
    false,
  ],
  ['a ban from no room', scheduled({ ...ban, ...inLobby }), { id: 'ban-member' }, mallory, false],
  [
    'unblocking the room',
    scheduled({ action: 'unblock-room', ends: 'block-room', ...lobby }),
    { id: 'unblock-room' },
    lobby,
    true,
  ],
  [
    'unblocking another room',
    scheduled({ action: 'unblock-room', ends: 'block-room', ...lobby }),
    { id: 'unblock-room' },
    { subject: { kind: 'room', room_id: '!other:h' } },
    false,
  ],
  [
    'its end while a console runs it',
    scheduled({ claimed: { by: '@ada:h', at: 1, page: 'p' } }),
    lift,
    mallory,
    false,
  ],
])('a time limit after %s', (_, before, action, target, isDropped) => {
  expect(limitChanges([before], action, target, undefined)).toEqual(isDropped ? [['before', null]] : []);
});

test('a scheduled action that ends no time limit stays', () => {
  const { ends: _, ...alone } = scheduled();
  expect(limitChanges([alone], lift, mallory, undefined)).toEqual([]);
});

const limit = { key: 'new', until: 2000, by: '@ben:h', reason: '' };

test.each([
  ['without a reason', mallory, limit, {}],
  ['with a reason', mallory, { ...limit, reason: 'spam' }, { reason: 'spam' }],
  ['in a room', inLobby, limit, { room_id: '!lobby:h' }],
  ['with inputs', mallory, { ...limit, fields: { level: 0 } }, { fields: { level: 0 } }],
])('a time limit %s is scheduled and replaces the one before', (_, target, given, more) => {
  expect(limitChanges([scheduled(target)], suspend, target, given)).toEqual([
    ['before', null],
    [
      'new',
      {
        ...{ action: 'unsuspend-user', ends: 'suspend-user', subject: mallory.subject },
        ...{ at: 2000, by: '@ben:h' },
        ...more,
      },
    ],
  ]);
});

test("an action that can't be ended gets no time limit", () => {
  expect(limitChanges([], { id: 'unsuspend-user' }, mallory, limit)).toEqual([]);
});

const entry = (change: Partial<Extract<TeamEntry, { type: 'action' }>>): TeamEntry =>
  ({ type: 'action', action: 'suspend-user', outcome: 'done', by: '@ben:h', at: 11, ...change }) as TeamEntry;

test.each<[string, TeamEntry, boolean]>([
  ['the restriction again', entry({}), true],
  ['its end', entry({ action: 'unsuspend-user' }), true],
  ['an undone restriction', entry({ outcome: 'undone' }), true],
  ['a failed one', entry({ outcome: 'failed' }), false],
  ['one of the same time', entry({ at: 10 }), false],
  ['another restriction', entry({ action: 'lock-user' }), false],
  [
    'a note',
    { type: 'note', by: '@ben:h', at: 11, subject: { kind: 'user', userId: '@mallory:h' }, text: 'x' },
    false,
  ],
])('a time limit, and as a later decision, %s', (_, later, isOne) => {
  expect(laterDecision(scheduled(), [later])).toBe(isOne ? later : undefined);
});

test('no decision is about a scheduled action that ends no time limit', () => {
  const { ends: _, ...alone } = scheduled();
  expect(laterDecision(alone, [entry({ action: 'unsuspend-user' })])).toBeUndefined();
});

test('an action is late ten minutes after its time', () => {
  expect([isLate(scheduled(), 601_000), isLate(scheduled(), 601_001)]).toEqual([false, true]);
});

test.each([
  [mallory, { kind: 'user', userId: '@mallory:h' }, true],
  [mallory, { kind: 'user', userId: '@ben:h' }, false],
  [inLobby, { kind: 'room', roomId: '!lobby:h' }, false],
  [lobby, { kind: 'room', roomId: '!lobby:h' }, true],
  [lobby, { kind: 'room', roomId: '!other:h' }, false],
  [lobby, { kind: 'event', roomId: '!lobby:h', eventId: '$e' }, false],
] as const)('%j is scheduled for %j: %s', (target, subject, isFor) => {
  expect(isScheduledFor(scheduled(target), subject)).toBe(isFor);
});

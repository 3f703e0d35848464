/** Conditions of push rules. Unknown and invalid ones never match. */
import { expect, test } from 'vitest';
import { checkOf, eventInRoom } from '../../../server/conversation/notifications/conditions.ts';
import type { Condition } from '../../../server/conversation/notifications/push-rule.ts';

const event = {
  type: 'm.room.message',
  sender: '@bob:localhost',
  content: {
    body: 'The cake-shop sells Apfelstrudel_x, naïve Äpfel and 日本 (a+b).',
    'a.b': 'dot',
    'c\\d': 'backslash',
    flag: true,
    nothing: null,
    number: 5,
    list: ['x', 5, null],
    'm.mentions': { user_ids: ['@alice:localhost'] },
  },
};

const matches = (condition: Condition, joinedMembers = 2, displayName: string | undefined = 'Cake') =>
  checkOf(condition)(eventInRoom(event, { joinedMembers, mayNotify: (kind) => kind === 'room' }), {
    displayName,
    steps: { left: 10_000 },
  });

test.each([
  ['type', 'm.room.message', true],
  ['type', 'M.ROOM.*', true],
  ['type', 'room', false],
  ['type', 'm.room.messag?', true],
  ['type', '*.topic', false],
  ['content.none', '*', false],
  ['content.number', '5', false],
  ['content.a\\.b', 'dot', true],
  ['content.a.b', 'dot', false],
  ['content.c\\\\d', 'backslash', true],
  ['content.c\\d', 'backslash', true],
  ['content.toString', '*', false],
  ['content.body', 'cake', true],
  ['content.body', 'CAKE', true],
  ['content.body', 'cak', false],
  ['content.body', 'shop', true],
  ['content.body', 'the cake', true],
  ['content.body', 'apfelstrudel', false],
  ['content.body', 'apfelstrudel*', true],
  ['content.body', 'äpfel', true],
  ['content.body', 'pfel', false],
  ['content.body', 'na?ve', true],
  ['content.body', 's*p', true],
  ['content.body', '(a+b)', true],
  ['content.body', '', false],
])('%s matches %j: %s', (key, pattern, isMatch) => {
  expect(matches({ kind: 'event_match', key, pattern })).toBe(isMatch);
});

test.each([
  ['2', true],
  ['==2', true],
  ['<2', false],
  ['<3', true],
  ['<=2', true],
  ['<=1', false],
  ['>2', false],
  ['>1', true],
  ['>=2', true],
  ['>=3', false],
  ['=2', false],
  ['!=3', false],
  ['two', false],
  ['-2', false],
  [' 2', false],
  ['', false],
])('two members are %j: %s', (is, isMatch) => {
  expect(matches({ kind: 'room_member_count', is })).toBe(isMatch);
});

test.each<[Condition, boolean]>([
  [{ kind: 'event_property_is', key: 'content.flag', value: true }, true],
  [{ kind: 'event_property_is', key: 'content.flag', value: 'true' }, false],
  [{ kind: 'event_property_is', key: 'content.nothing', value: null }, true],
  [{ kind: 'event_property_is', key: 'content.none', value: null }, false],
  [{ kind: 'event_property_is', key: 'content.number', value: 5 }, true],
  [{ kind: 'event_property_is', key: 'content.a\\.b', value: 'dot' }, true],
  [{ kind: 'event_property_contains', key: 'content.list', value: 'x' }, true],
  [{ kind: 'event_property_contains', key: 'content.list', value: null }, true],
  [{ kind: 'event_property_contains', key: 'content.list', value: '5' }, false],
  [{ kind: 'event_property_contains', key: 'content.body', value: 'cake' }, false],
  [
    { kind: 'event_property_contains', key: 'content.m\\.mentions.user_ids', value: '@alice:localhost' },
    true,
  ],
  [{ kind: 'sender_notification_permission', key: 'room' }, true],
  [{ kind: 'sender_notification_permission', key: 'other' }, false],
  [{ kind: 'contains_display_name' }, true],
  [{ kind: 'org.example.unknown' }, false],
  [{ kind: 'event_match', key: 'type' }, false],
  [{ kind: 'room_member_count' }, false],
])('%j: %s', (condition, isMatch) => {
  expect(matches(condition)).toBe(isMatch);
});

test.each([
  ['Cake', true],
  ['cake-shop', true],
  ['Cak', false],
  ['', false],
])('the display name %j is mentioned: %s', (displayName, isMatch) => {
  expect(matches({ kind: 'contains_display_name' }, 2, displayName)).toBe(isMatch);
});

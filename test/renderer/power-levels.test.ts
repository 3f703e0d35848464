/** Power levels in a room's state. */
import { expect, test } from 'vitest';
import { readPowerLevels } from '../../renderer/components/event/power-levels.ts';
import type { JsonObject } from '../../shared/api/common.ts';

const state = (levels: JsonObject | undefined, creation: JsonObject = {}, sender = '@creator:h') => [
  { type: 'm.room.create', state_key: '', sender, content: creation },
  { type: 'm.room.power_levels', state_key: 'other', content: { ban: 1 } },
  ...(levels ? [{ type: 'm.room.power_levels', state_key: '', content: levels }] : []),
];

test.each<[string, JsonObject | undefined, object]>([
  ['none', undefined, { privileged: [], defaultLevel: 0, redact: 50, ban: 50 }],
  ['needed ones', { redact: 0, ban: 75 }, { redact: 0, ban: 75 }],
  ['a default', { users_default: 10 }, { defaultLevel: 10 }],
  ['text, as in old rooms', { ban: ' 60 ', users_default: '-1' }, { ban: 60, defaultLevel: -1 }],
  [
    'hostile ones',
    { ban: '1e9', redact: null, users: { '@eve:h': {} } },
    { ban: 50, redact: 50, privileged: [] },
  ],
  [
    'members above the default, highest first',
    { users_default: 10, users: { '@a:h': 11, '@b:h': 100, '@c:h': 10, '@d:h': 0 } },
    {
      privileged: [
        { userId: '@b:h', level: 100 },
        { userId: '@a:h', level: 11 },
      ],
    },
  ],
])('reads %s', (_, levels, expected) => {
  expect(readPowerLevels(state(levels))).toMatchObject(expected);
});

test.each<[string, object[]]>([
  ['11', [{ userId: '@creator:h', level: 100 }]],
  [
    '12',
    [
      { userId: '@creator:h', level: 'creator' },
      { userId: '@second:h', level: 'creator' },
    ],
  ],
])('in room version %s', (room_version, expected) => {
  const creation = { room_version, additional_creators: ['@second:h', 7] };
  const { privileged } = readPowerLevels(state({ users: { '@creator:h': 100 } }, creation));
  expect(privileged).toEqual(expected);
});

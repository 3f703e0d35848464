/** Who is in a room, and who rules it, as the server's administrators change it. */
import { IconCrown, IconDoorEnter, IconUserPlus } from '@tabler/icons-react';
import { joinUserTo, makeRoomAdministrator } from '../../api/room-changes.ts';
import { action } from '../action.ts';

const line = (value: unknown) => String(value).trim();

export const entrances = [
  action<'user'>({
    id: 'join-room',
    label: /*i18n*/ '{count, plural, one {Add to room} other {Add # users to room}}',
    hint: /*i18n*/ 'Adds the user to a room without asking',
    kind: 'user',
    group: 'user',
    icon: IconDoorEnter,
    localOnly: true,
    needs: ['joinUser'],
    applies: ({ user }) => !user?.deactivated,
    words: {
      will: /*i18n*/ 'Adds {count, plural, one {{name}} other {# users}} to the room. Non-public rooms require permission to invite.',
      doing: /*i18n*/ 'Adding {count, plural, one {{name}} other {# users}} to the room',
      done: /*i18n*/ '{count, plural, one {{name}} other {# users}} added to the room',
    },
    fields: [
      {
        kind: 'line',
        name: 'room',
        label: /*i18n*/ 'Room',
        note: /*i18n*/ 'Room ID (!…) or alias (#…)',
        required: true,
      },
    ],
    async run({ server }, { userId }, { fields }) {
      await joinUserTo(server, line(fields.room), userId);
      return { detail: line(fields.room) };
    },
  }),
  action<'room'>({
    id: 'join-user',
    label: /*i18n*/ '{count, plural, one {Add user} other {Add user to # rooms}}',
    hint: /*i18n*/ 'Adds a local user without asking',
    kind: 'room',
    group: 'room',
    icon: IconUserPlus,
    needs: ['joinUser'],
    words: {
      will: /*i18n*/ 'Adds a local user to {count, plural, one {{name}} other {# rooms}}. Non-public rooms require permission to invite.',
      doing: /*i18n*/ 'Adding user to {count, plural, one {{name}} other {# rooms}}',
      done: /*i18n*/ 'User added to {count, plural, one {{name}} other {# rooms}}',
    },
    fields: [
      { kind: 'line', name: 'user', label: /*i18n*/ 'User', note: /*i18n*/ '@name:server', required: true },
    ],
    async run({ server }, { roomId }, { fields }) {
      await joinUserTo(server, roomId, line(fields.user));
      return { detail: line(fields.user) };
    },
  }),
  action<'room'>({
    id: 'make-room-administrator',
    label: /*i18n*/ '{count, plural, one {Make room admin} other {Make admin in # rooms}}',
    hint: /*i18n*/ 'Grants the highest local power level',
    kind: 'room',
    group: 'room',
    icon: IconCrown,
    needs: ['makeRoomAdmin'],
    words: {
      will: /*i18n*/ 'Grants the highest local power level in {count, plural, one {{name}} other {# rooms}}. Members see this.',
      lost: /*i18n*/ 'Only the new room admin can undo this.',
      doing: /*i18n*/ 'Making room admin in {count, plural, one {{name}} other {# rooms}}',
      done: /*i18n*/ 'New room admin in {count, plural, one {{name}} other {# rooms}}',
    },
    fields: [
      {
        kind: 'line',
        name: 'user',
        label: /*i18n*/ 'User',
        note: /*i18n*/ '@name:server (empty: you)',
        required: false,
      },
    ],
    async run({ server }, { roomId }, { fields }) {
      const userId = line(fields.user) || server.connection.userId;
      await makeRoomAdministrator(server, roomId, userId);
      return { detail: userId };
    },
  }),
];

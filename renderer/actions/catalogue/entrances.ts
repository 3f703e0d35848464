/** Who is in a room, and who rules it, as the server's administrators change it. */
import { IconCrown, IconDoorEnter, IconUserPlus } from '@tabler/icons-react';
import { joinUserTo, makeRoomAdministrator } from '../../api/room-changes.ts';
import { action } from '../action.ts';

const line = (value: unknown) => String(value).trim();

export const entrances = [
  action<'user'>({
    id: 'join-room',
    kind: 'user',
    group: 'user',
    icon: IconDoorEnter,
    localOnly: true,
    needs: ['joinUser'],
    applies: ({ user }) => !user?.deactivated,
    words: {
      will: /*i18n*/ '{count, plural, one {{name} joins the room. Into one that is not public you have to be able to invite.} other {# users join the room. Into one that is not public you have to be able to invite.}}',
      doing: /*i18n*/ '{count, plural, one {Joining {name} to the room} other {Joining # users to the room}}',
      done: /*i18n*/ '{count, plural, one {{name} is in the room} other {# users are in the room}}',
    },
    fields: [
      {
        kind: 'line',
        name: 'room',
        label: /*i18n*/ 'Room',
        note: /*i18n*/ 'Its identifier (!…) or an address (#…)',
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
    kind: 'room',
    group: 'room',
    icon: IconUserPlus,
    needs: ['joinUser'],
    words: {
      will: /*i18n*/ '{count, plural, one {A user of this server joins {name}. Into a room that is not public you have to be able to invite.} other {A user of this server joins # rooms. Into rooms that are not public you have to be able to invite.}}',
      doing: /*i18n*/ '{count, plural, one {Joining a user to {name}} other {Joining a user to # rooms}}',
      done: /*i18n*/ '{count, plural, one {The user is in {name}} other {The user is in # rooms}}',
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
    kind: 'room',
    group: 'room',
    icon: IconCrown,
    needs: ['makeRoomAdmin'],
    words: {
      will: /*i18n*/ '{count, plural, one {Someone gets as much power in {name} as the most powerful user of this server has there. Its members see it.} other {Someone gets as much power in # rooms as the most powerful user of this server has there. Their members see it.}}',
      lost: /*i18n*/ 'Nobody but they themselves can take that power away again.',
      doing: /*i18n*/ '{count, plural, one {Giving power in {name}} other {Giving power in # rooms}}',
      done: /*i18n*/ '{count, plural, one {{name} has another administrator} other {# rooms have another administrator}}',
    },
    fields: [
      {
        kind: 'line',
        name: 'user',
        label: /*i18n*/ 'User',
        note: /*i18n*/ '@name:server; you yourself where it is left empty',
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

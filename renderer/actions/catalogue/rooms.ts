/** What is done to a whole room. */
import { i18n } from '@lingui/core';
import {
  IconCrown,
  IconDoor,
  IconDoorEnter,
  IconDoorOff,
  IconHomeOff,
  IconTrash,
  IconUserPlus,
} from '@tabler/icons-react';
import {
  deleteRoom,
  deletionStatus,
  joinUserToRoom,
  makeRoomAdmin,
  setBlocked,
} from '../../api/room-changes.ts';
import type { Server } from '../../transport/server.ts';
import { action, type Progress } from '../action.ts';
import type { ItemOf } from '../items.ts';
import { switched } from './changes.ts';

const ofRoom = { kind: 'room', group: 'room' } as const;

const blocks = (block: boolean) =>
  switched<ItemOf<'room'>>(block, (server, { roomId }, on) => setBlocked(server, roomId, on));

const blocked = {
  done: /*i18n*/ '{count, plural, one {{name}} other {# rooms}} blocked',
  lifted: /*i18n*/ '{count, plural, one {{name}} other {# rooms}} unblocked',
};

const noticeField = {
  kind: 'text',
  name: 'message',
  label: /*i18n*/ 'Message to members, moving them to a new room',
  note: /*i18n*/ "If empty, members aren't moved.",
  required: false,
} as const;

const blockField = (initial: boolean) =>
  ({
    kind: 'flag',
    name: 'block',
    label: /*i18n*/ 'Also block',
    note: /*i18n*/ 'Prevents local users from rejoining.',
    initial,
  }) as const;

async function progress(server: Server, task: string): Promise<Progress> {
  const { status, error, shutdown_room: result } = await deletionStatus(server, task);
  if (status === 'failed' || status === 'cancelled') return { state: 'failed', error: error || status };
  if (status !== 'complete') return { state: 'active', isQueued: status === 'scheduled' };
  const stayed = result?.failed_to_kick_users ?? [];
  return {
    state: 'done',
    failures: Object.fromEntries(stayed.map((userId) => [userId, i18n.t('Still in the room')])),
  };
}

export const rooms = [
  action({
    ...ofRoom,
    id: 'block-room',
    label: /*i18n*/ '{count, plural, one {Block room} other {Block # rooms}}',
    hint: /*i18n*/ 'Prevents local users from joining',
    icon: IconDoorOff,
    key: 'o',
    needs: ['block'],
    resolvesReports: true,
    applies: ({ blocked }) => blocked !== true,
    words: {
      will: /*i18n*/ 'Blocks local users from joining {count, plural, one {{name}} other {# rooms}}. Current members stay.',
      doing: /*i18n*/ 'Blocking {count, plural, one {{name}} other {# rooms}}',
      done: blocked.done,
      undone: blocked.lifted,
    },
    ...blocks(true),
  }),
  action({
    ...ofRoom,
    id: 'unblock-room',
    label: /*i18n*/ '{count, plural, one {Unblock room} other {Unblock # rooms}}',
    hint: /*i18n*/ 'Lets local users join again',
    icon: IconDoor,
    key: 'o',
    needs: ['block'],
    applies: ({ blocked }) => blocked !== false,
    words: {
      will: /*i18n*/ 'Lets local users join {count, plural, one {{name}} other {# rooms}} again if join rules allow.',
      doing: /*i18n*/ 'Unblocking {count, plural, one {{name}} other {# rooms}}',
      done: blocked.lifted,
      undone: blocked.done,
    },
    ...blocks(false),
  }),
  action<'room'>({
    ...ofRoom,
    id: 'shut-down-room',
    label: /*i18n*/ '{count, plural, one {Shut down room} other {Shut down # rooms}}',
    hint: /*i18n*/ 'Removes local members; messages stay',
    typed: true,
    icon: IconHomeOff,
    needs: ['deleteRoom'],
    resolvesReports: true,
    destructive: true,
    words: {
      will: /*i18n*/ 'Removes all local members of {count, plural, one {{name}} other {# rooms}}. Messages stay on the server.',
      lost: /*i18n*/ "Members don't rejoin automatically.",
      doing: /*i18n*/ 'Shutting down {count, plural, one {{name}} other {# rooms}}',
      done: /*i18n*/ '{count, plural, one {{name}} other {# rooms}} shut down',
    },
    fields: [blockField(true), noticeField],
    run: async ({ server }, { roomId }, { fields }) => ({
      task: await deleteRoom(server, roomId, {
        ...moved(server, fields.message),
        block: fields.block === true,
        purge: false,
        force_purge: false,
      }),
    }),
    progress,
  }),
  action<'room'>({
    ...ofRoom,
    id: 'purge-room',
    label: /*i18n*/ '{count, plural, one {Purge room} other {Purge # rooms}}',
    hint: /*i18n*/ 'Removes local members and deletes all data',
    icon: IconTrash,
    needs: ['deleteRoom'],
    destructive: true,
    typed: true,
    words: {
      will: /*i18n*/ 'Removes all local members and deletes {count, plural, one {{name}} other {# rooms}} from the database.',
      lost: /*i18n*/ "Messages and their reports can't be restored.",
      doing: /*i18n*/ 'Purging {count, plural, one {{name}} other {# rooms}}',
      done: /*i18n*/ '{count, plural, one {{name}} other {# rooms}} purged',
    },
    fields: [
      blockField(true),
      {
        kind: 'flag',
        name: 'force',
        label: /*i18n*/ "Purge even if members can't be removed",
        initial: false,
      },
      noticeField,
    ],
    run: async ({ server }, { roomId }, { fields }) => ({
      task: await deleteRoom(server, roomId, {
        ...moved(server, fields.message),
        block: fields.block === true,
        purge: true,
        force_purge: fields.force === true,
      }),
    }),
    progress,
  }),
];

/** A new room in the name of whoever acts, where there is something to say in it. */
const moved = ({ connection }: Server, message: unknown) =>
  typeof message === 'string' && message.trim() !== ''
    ? { new_room_user_id: connection.userId, message: message.trim() }
    : {};

// Who is in a room, and who rules it, as the server's administrators change it.

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
      await joinUserToRoom(server, line(fields.room), userId);
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
      await joinUserToRoom(server, roomId, line(fields.user));
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
      await makeRoomAdmin(server, roomId, userId);
      return { detail: userId };
    },
  }),
];

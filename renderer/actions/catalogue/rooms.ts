/** Actions on a room. */
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
import { ConnectionFailure } from '../../../shared/connection.ts';
import { type Answers, leaveAfterwards, takePower } from '../../../shared/team/action-inputs.ts';
import { restrictions } from '../../../shared/team/restrictions.ts';
import { getMembership, joinRoom, leaveRoom } from '../../api/memberships.ts';
import {
  deleteRoom,
  deletionStatus,
  joinUserToRoom,
  makeRoomAdmin,
  setBlocked,
} from '../../api/room-changes.ts';
import { roomOfAlias } from '../../api/room-list.ts';
import { isRefusal } from '../../transport/refusal.ts';
import type { Server } from '../../transport/server.ts';
import { action, type Field, type Form, type Progress, type Work } from '../action.ts';
import type { ItemOf } from '../items.ts';
import { withPowerLevel } from '../power.ts';
import { switched } from './changes.ts';

const line = (value: unknown) => String(value ?? '').trim();

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
} as const satisfies Field;

const newNameField = {
  kind: 'line',
  name: 'roomName',
  label: /*i18n*/ 'Name of the new room',
  note: /*i18n*/ 'If empty, the server uses its default name.',
  required: false,
  isShown: ({ fields }: Pick<Form, 'fields'>) => line(fields.message) !== '',
} as const satisfies Field;

const blockField = (initial: boolean) =>
  ({
    kind: 'flag',
    name: 'block',
    label: /*i18n*/ 'Also block',
    note: /*i18n*/ 'Prevents local users from rejoining.',
    initial,
  }) as const satisfies Field;

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
    ...restrictions['block-room'],
    id: 'block-room',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Block room} other {Block # rooms}}',
    hint: /*i18n*/ 'Prevents local users from joining',
    icon: IconDoorOff,
    key: 'o',
    needs: ['block'],
    resolvesReports: true,
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
    ...restrictions['unblock-room'],
    id: 'unblock-room',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Unblock room} other {Unblock # rooms}}',
    hint: /*i18n*/ 'Lets local users join again',
    icon: IconDoor,
    key: 'o',
    needs: ['block'],
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
    role: 'lead',
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
    fields: [blockField(true), noticeField, newNameField],
    run: async ({ server }, { roomId }, { fields }) => ({
      task: await deleteRoom(server, roomId, {
        ...moved(server, fields),
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
    role: 'lead',
    label: /*i18n*/ '{count, plural, one {Delete room} other {Delete # rooms}}',
    hint: /*i18n*/ 'Removes local members and deletes all data',
    icon: IconTrash,
    needs: ['deleteRoom'],
    removesEvidence: true,
    destructive: true,
    typed: true,
    words: {
      will: /*i18n*/ 'Removes all local members and deletes {count, plural, one {{name}} other {# rooms}} from the database.',
      lost: /*i18n*/ "Messages and their reports can't be restored.",
      doing: /*i18n*/ 'Deleting {count, plural, one {{name}} other {# rooms}}',
      done: /*i18n*/ '{count, plural, one {{name}} other {# rooms}} deleted',
    },
    fields: [
      blockField(true),
      {
        kind: 'flag',
        name: 'force',
        label: /*i18n*/ "Delete even if members can't be removed (force purge)",
        initial: false,
      },
      noticeField,
      newNameField,
    ],
    run: async ({ server }, { roomId }, { fields }) => ({
      task: await deleteRoom(server, roomId, {
        ...moved(server, fields),
        block: fields.block === true,
        purge: true,
        force_purge: fields.force === true,
      }),
    }),
    progress,
  }),
];

/** Creates a new room as the acting admin, if there is a message for it. */
function moved({ connection }: Server, fields: Answers['fields']) {
  const [message, name] = [line(fields.message), line(fields.roomName)];
  if (message === '') return {};
  return { new_room_user_id: connection.userId, message, ...(name !== '' && { room_name: name }) };
}

// Members and power levels.

/** Returns whether it succeeded without making the admin a room admin. */
async function joinAsAdminIfNeeded(server: Server, roomId: string): Promise<boolean> {
  try {
    await joinRoom(server, roomId);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Also invites the admin.
    await makeRoomAdmin(server, roomId);
    await joinRoom(server, roomId);
    return false;
  }
}

const asAdminField = {
  kind: 'flag',
  name: 'asAdmin',
  label: /*i18n*/ 'Make me room admin if needed',
  note: /*i18n*/ 'Only members can invite to rooms that are not public. You join, add the user and leave again. Members see this.',
  initial: false,
  isShown: ({ offered }: Pick<Form, 'offered'>) => offered.has('makeRoomAdmin'),
} as const satisfies Field;

/** Adds a user to a room. If only members can do that and the admin agreed, makes the admin a room admin first. */
async function addToRoom(work: Work, roomId: string, userId: string, { asAdmin }: Answers['fields']) {
  const fields = { [takePower]: asAdmin === true, [leaveAfterwards]: true };
  await withPowerLevel(work, roomId, { fields }, () => joinUserToRoom(work.server, roomId, userId));
}

export const entrances = [
  action<'user'>({
    id: 'join-room',
    role: 'lead',
    label: /*i18n*/ '{count, plural, one {Add to room} other {Add # users to room}}',
    hint: /*i18n*/ 'Adds the user to a room without asking',
    kind: 'user',
    group: 'user',
    icon: IconDoorEnter,
    localOnly: true,
    needs: ['joinUser'],
    applies: ({ user }) => !user?.deactivated,
    words: {
      will: /*i18n*/ 'Adds {count, plural, one {{name}} other {# users}} to the room without asking. Rooms that are not public need an invitation from a member.',
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
      asAdminField,
    ],
    async run(work, { userId }, { fields }) {
      const room = line(fields.room);
      const roomId = room.startsWith('#') ? await roomOfAlias(work.server, room) : room;
      if (roomId === undefined) throw new ConnectionFailure('refused', /*i18n*/ 'Room alias not found');
      await addToRoom(work, roomId, userId, fields);
      return { detail: room };
    },
  }),
  action<'room'>({
    id: 'join-room-oneself',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Join room} other {Join # rooms}}',
    hint: /*i18n*/ 'Joins you, as room admin if needed',
    kind: 'room',
    group: 'room',
    icon: IconDoorEnter,
    needs: ['makeRoomAdmin', 'joinUser'],
    words: {
      will: /*i18n*/ 'Joins you to {count, plural, one {{name}} other {# rooms}}. If an invitation is needed, a local room admin appears to make you room admin first. Members see this.',
      doing: /*i18n*/ 'Joining {count, plural, one {{name}} other {# rooms}}',
      done: /*i18n*/ '{count, plural, one {{name}} other {# rooms}} joined',
      undone: /*i18n*/ '{count, plural, one {{name}} other {# rooms}} left again',
    },
    fields: [
      {
        kind: 'line',
        name: 'user',
        label: /*i18n*/ 'Also add user',
        note: /*i18n*/ '@name:server of a local user, or empty',
        required: false,
      },
    ],
    async run({ server }, { roomId }, { fields }) {
      const self = server.connection.userId;
      const before = await getMembership(server, { roomId, userId: self });
      const isMember = before?.membership === 'join';
      const wasAdmin = isMember || (await joinAsAdminIfNeeded(server, roomId));
      const user = line(fields.user);
      if (user !== '') await joinUserToRoom(server, roomId, user);
      const how = wasAdmin ? 'joined' : 'made room admin, joined';
      return { unchanged: isMember, undo: true, detail: user === '' ? how : `${how}, added ${user}` };
    },
    undo: async ({ server }, { roomId }) => void (await leaveRoom(server, roomId)),
  }),
  action<'room'>({
    id: 'join-user',
    role: 'lead',
    label: /*i18n*/ '{count, plural, one {Add user} other {Add user to # rooms}}',
    hint: /*i18n*/ 'Adds a local user without asking',
    kind: 'room',
    group: 'room',
    icon: IconUserPlus,
    needs: ['joinUser'],
    words: {
      will: /*i18n*/ 'Adds a local user to {count, plural, one {{name}} other {# rooms}} without asking. Rooms that are not public need an invitation from a member.',
      doing: /*i18n*/ 'Adding user to {count, plural, one {{name}} other {# rooms}}',
      done: /*i18n*/ 'User added to {count, plural, one {{name}} other {# rooms}}',
    },
    fields: [
      { kind: 'line', name: 'user', label: /*i18n*/ 'User', note: /*i18n*/ '@name:server', required: true },
      asAdminField,
    ],
    async run(work, { roomId }, { fields }) {
      await addToRoom(work, roomId, line(fields.user), fields);
      return { detail: line(fields.user) };
    },
  }),
  action<'room'>({
    id: 'make-room-administrator',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Make room admin} other {Make admin in # rooms}}',
    hint: /*i18n*/ 'Grants the highest local power level',
    kind: 'room',
    group: 'room',
    icon: IconCrown,
    needs: ['makeRoomAdmin'],
    words: {
      will: /*i18n*/ 'Grants the highest local power level in {count, plural, one {{name}} other {# rooms}}. Users outside the room are only invited. Members see this.',
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

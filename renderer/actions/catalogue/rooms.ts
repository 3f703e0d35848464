/** What is done to a whole room. */
import { i18n } from '@lingui/core';
import { IconDoor, IconDoorOff, IconHomeOff, IconTrash } from '@tabler/icons-react';
import { deleteRoom, deletionStatus, setBlocked } from '../../api/room-changes.ts';
import type { Server } from '../../transport/server.ts';
import { action, type Progress } from '../action.ts';
import type { ItemOf } from '../subject.ts';
import { switched } from './switched.ts';

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
    settles: true,
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
    settles: true,
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

/** What is done to a whole room. */
import { i18n } from '@lingui/core';
import { IconDoor, IconDoorOff, IconHomeOff, IconTrash } from '@tabler/icons-react';
import { deleteRoom, deletionStatus, setBlocked } from '../../api/room-changes.ts';
import type { Server } from '../../transport/server.ts';
import { action, type Progress } from '../action.ts';
import { switched } from './switched.ts';

const ofRoom = { kind: 'room', group: 'room' } as const;

const blocks = (block: boolean) =>
  switched<{ roomId: string }>(block, (server, { roomId }, on) => setBlocked(server, roomId, on));

const blocked = {
  done: /*i18n*/ '{count, plural, one {{name} is blocked} other {# rooms are blocked}}',
  lifted: /*i18n*/ '{count, plural, one {{name} is no longer blocked} other {# rooms are no longer blocked}}',
};

const noticeField = {
  kind: 'text',
  name: 'message',
  label: /*i18n*/ 'Message to the members, in a new room they are moved to',
  note: /*i18n*/ 'Left empty, nobody is moved anywhere.',
  required: false,
} as const;

const blockField = (initial: boolean) =>
  ({
    kind: 'flag',
    name: 'block',
    label: /*i18n*/ 'Block, too',
    note: /*i18n*/ 'Nobody of this server can join again.',
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
    icon: IconDoorOff,
    key: 'o',
    needs: ['block'],
    settles: true,
    applies: ({ blocked }) => blocked !== true,
    words: {
      will: /*i18n*/ '{count, plural, one {Nobody of this server can join {name} any more, until you lift it. Who is in it stays.} other {Nobody of this server can join these # rooms any more, until you lift it. Who is in them stays.}}',
      doing: /*i18n*/ '{count, plural, one {Blocking {name}} other {Blocking # rooms}}',
      done: blocked.done,
      undone: blocked.lifted,
    },
    ...blocks(true),
  }),
  action({
    ...ofRoom,
    id: 'unblock-room',
    icon: IconDoor,
    key: 'o',
    needs: ['block'],
    applies: ({ blocked }) => blocked !== false,
    words: {
      will: /*i18n*/ '{count, plural, one {{name} can be joined again, as its rules have it.} other {# rooms can be joined again, as their rules have it.}}',
      doing: /*i18n*/ '{count, plural, one {Unblocking {name}} other {Unblocking # rooms}}',
      done: blocked.lifted,
      undone: blocked.done,
    },
    ...blocks(false),
  }),
  action<'room'>({
    ...ofRoom,
    id: 'shut-down-room',
    typed: true,
    icon: IconHomeOff,
    needs: ['deleteRoom'],
    settles: true,
    destructive: true,
    words: {
      will: /*i18n*/ '{count, plural, one {Everyone of this server leaves {name}. What was said in it stays on the server.} other {Everyone of this server leaves these # rooms. What was said in them stays on the server.}}',
      lost: /*i18n*/ 'The members do not come back by themselves.',
      doing: /*i18n*/ '{count, plural, one {Shutting {name} down} other {Shutting # rooms down}}',
      done: /*i18n*/ '{count, plural, one {{name} is shut down} other {# rooms are shut down}}',
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
    icon: IconTrash,
    needs: ['deleteRoom'],
    destructive: true,
    typed: true,
    words: {
      will: /*i18n*/ '{count, plural, one {Everyone of this server leaves {name}, and every trace of it goes from the database.} other {Everyone of this server leaves these # rooms, and every trace of them goes from the database.}}',
      lost: /*i18n*/ 'Nothing of what was said comes back, nor do the reports on it.',
      doing: /*i18n*/ '{count, plural, one {Purging {name}} other {Purging # rooms}}',
      done: /*i18n*/ '{count, plural, one {{name} is purged} other {# rooms are purged}}',
    },
    fields: [
      blockField(true),
      {
        kind: 'flag',
        name: 'force',
        label: /*i18n*/ 'Purge even if someone can not be put out',
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

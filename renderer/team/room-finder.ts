/** Finding the team's room, as every administrator's console does it for itself. */

import { ConnectionFailure } from '../../shared/connection.ts';
import {
  changeMembership,
  createRoom,
  dropPowerLevel,
  findAlias,
  inviteSelf,
  joinRoom,
  readAccountData,
  removeAlias,
  roomState,
  roomSummary,
  writeAccountData,
} from '../api/team-room.ts';
import type { Server } from '../transport/server.ts';
import { namespace } from './room-events.ts';
import type { AdministratorsAmong } from './room-trust.ts';
import { mayBeTeamRoom, type TeamRoom, teamRoomOf } from './room-trust.ts';

const localAlias = 'gatehouse-team';
const serverNameOf = ({ connection }: Server) => connection.userId.slice(connection.userId.indexOf(':') + 1);
export const aliasOf = (server: Server) => `#${localAlias}:${serverNameOf(server)}`;

/** `isGone`: deleted, or left by everybody. Else `others` have power in it, or where they are none, anyone can come in or read. */
export type LostRoom = { isGone: boolean; others: readonly string[] };

export type Found = {
  room: TeamRoom | undefined;
  /** The room that has the alias and is not the team's. */
  impostor: { roomId: string; creator: string | undefined } | undefined;
  /** The room that was the team's and is it no more. */
  lost: LostRoom | undefined;
};

/**
 * Looks behind the alias, then for the room that was the team's: as this console knows it, or where this user's
 * consoles noted it down. Changes nothing.
 */
export async function findRoom(
  server: Server,
  knownId: string | undefined,
  administratorsAmong: AdministratorsAmong,
  signal: AbortSignal,
): Promise<Found> {
  const check = (roomId: string) => checkRoom(server, roomId, administratorsAmong, signal);
  const aliased = await findAlias(server, aliasOf(server), signal);
  const behind = aliased === undefined ? undefined : await check(aliased);
  if (behind?.room) return found(behind.room);

  const note = await readAccountData(server, namespace, signal);
  const noted = typeof note?.room_id === 'string' && note.room_id !== aliased ? note.room_id : undefined;
  let lost: LostRoom | undefined;
  for (const roomId of new Set([knownId, noted])) {
    if (roomId === undefined) continue;
    const checked = behind && roomId === aliased ? behind : await check(roomId);
    if (checked.room) return found(checked.room);
    lost ??= checked;
  }
  const impostor = aliased === undefined ? undefined : { roomId: aliased, creator: behind?.creator };
  return { room: undefined, impostor, lost };
}

export const found = (room: TeamRoom): Found => ({ room, impostor: undefined, lost: undefined });

async function checkRoom(
  server: Server,
  roomId: string,
  administratorsAmong: AdministratorsAmong,
  signal: AbortSignal,
) {
  const summary = await roomSummary(server, roomId, signal);
  const said = { creator: summary?.creator ?? undefined, isGone: !summary?.joined_members };
  if (!summary || !mayBeTeamRoom(summary)) return { ...said, room: undefined, others: [] };
  const state = await roomState(server, roomId, signal);
  return { ...said, ...(await teamRoomOf(roomId, state, (userIds) => administratorsAmong(userIds, signal))) };
}

/**
 * Makes the room under its alias, taken back from whoever has it. Nobody but its maker can change what it is;
 * any member can invite, since administrators come and go.
 */
export async function makeRoom(server: Server, { impostor }: Found): Promise<string> {
  if (impostor) await removeAlias(server, aliasOf(server));
  const roomId = await createRoom(server, {
    preset: 'private_chat',
    visibility: 'private',
    room_alias_name: localAlias,
    name: 'Gatehouse team',
    topic: 'Marks, notes and actions of the moderators, written by their consoles. Not a place to talk.',
    creation_content: { type: namespace, 'm.federate': false },
    initial_state: [
      { type: 'm.room.history_visibility', state_key: '', content: { history_visibility: 'shared' } },
      { type: 'm.room.guest_access', state_key: '', content: { guest_access: 'forbidden' } },
    ],
    power_level_content_override: {
      ...{ users_default: 0, events_default: 0, state_default: 100, events: {} },
      ...{ invite: 0, kick: 100, ban: 100, redact: 100 },
    },
  });
  await noteRoom(server, roomId);
  return roomId;
}

/**
 * Goes into the team's room, with the server's help where nobody has sent an invitation yet.
 *
 * @returns whether it took that help, which comes with power
 */
export async function enterRoom(server: Server, { roomId, memberships }: TeamRoom): Promise<boolean> {
  const invited = memberships.get(server.connection.userId) === 'invite';
  if (!invited) await inviteSelf(server, roomId);
  await joinRoom(server, roomId);
  // With power, whoever stops being an administrator one day would take the room with them.
  if (!invited) await dropPowerLevel(server, roomId);
  await noteRoom(server, roomId);
  return !invited;
}

const noteRoom = (server: Server, roomId: string) => writeAccountData(server, namespace, { room_id: roomId });

/**
 * Invites those of these users who have never been asked; who left or declined is not asked again. Whom the
 * server refuses now is tried another time.
 */
export async function inviteMissing(
  server: Server,
  { roomId, memberships }: TeamRoom,
  userIds: Iterable<string>,
  signal: AbortSignal,
): Promise<void> {
  for (const userId of userIds) {
    if (memberships.has(userId)) continue;
    try {
      await changeMembership(server, roomId, 'invite', userId, signal);
    } catch (error) {
      if (!(error instanceof ConnectionFailure) || error.code !== 'refused') throw error;
    }
  }
}

/** Finds, creates and joins the team room. */
import { ConnectionFailure } from '../../shared/connection.ts';
import { aliasOf, findRoom as findRoomBy, localAlias, type RoomSearch } from '../../shared/team/find-room.ts';
import { namespace } from '../../shared/team/room-events.ts';
import type { AdministratorsAmong, TeamRoom } from '../../shared/team/room-trust.ts';
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

/** Tries the alias, then the last known room, then the one in account data. Changes nothing. */
export const findRoom = (
  server: Server,
  knownId: string | undefined,
  administratorsAmong: AdministratorsAmong,
  signal: AbortSignal,
): Promise<RoomSearch> =>
  findRoomBy(
    {
      userId: server.connection.userId,
      findAlias: (alias) => findAlias(server, alias, signal),
      accountData: (type) => readAccountData(server, type, signal),
      summary: (roomId) => roomSummary(server, roomId, signal),
      state: (roomId) => roomState(server, roomId, signal),
      administratorsAmong: (userIds) => administratorsAmong(userIds, signal),
    },
    knownId,
  );

/** Creates the room under its alias, which is removed from any other room. Returns its ID. */
export async function createTeamRoom(server: Server, { impostor }: RoomSearch): Promise<string> {
  if (impostor) await removeAlias(server, aliasOf(server.connection.userId));
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
  await saveRoomId(server, roomId);
  return roomId;
}

/** Joins the team room. Returns true if `make_room_admin` granted a power level because there was no invite. */
export async function joinTeamRoom(server: Server, { roomId, memberships }: TeamRoom): Promise<boolean> {
  const invited = memberships.get(server.connection.userId) === 'invite';
  if (!invited) await inviteSelf(server, roomId);
  await joinRoom(server, roomId);
  // A former admin with an elevated power level would make the room untrusted.
  if (!invited) await dropPowerLevel(server, roomId);
  await saveRoomId(server, roomId);
  return !invited;
}

const saveRoomId = (server: Server, roomId: string) =>
  writeAccountData(server, namespace, { room_id: roomId });

/** Invites users who were never members; those who left or declined aren't invited again. Skips refused invites. */
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

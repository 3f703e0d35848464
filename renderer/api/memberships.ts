/** Room memberships. Matrix specification, client-server API, "Room membership". */
import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import { Dictionary, EmptyObject } from '../../shared/api/common.ts';
import { isRefusal } from '../transport/refusal.ts';
import { body, type Server } from '../transport/server.ts';

const roomPath = (roomId: string) => `/client/v3/rooms/${encodeURIComponent(roomId)}`;

const Change = Type.Object({ user_id: Type.String(), reason: Type.Optional(Type.String()) });

/** Kicks, bans or unbans as the signed-in admin. */
export const changeMembership = (
  server: Server,
  change: 'kick' | 'ban' | 'unban',
  { roomId, userId }: { roomId: string; userId: string },
  reason: string | undefined,
) =>
  server.sendChat('POST', EmptyObject, `${roomPath(roomId)}/${change}`, {
    body: body(Change, { user_id: userId, ...(reason !== undefined && { reason }) }),
  });

export const joinRoom = (server: Server, roomId: string) =>
  server.sendChat('POST', EmptyObject, `${roomPath(roomId)}/join`, { body: body(EmptyObject, {}) });

export const leaveRoom = (server: Server, roomId: string) =>
  server.sendChat('POST', EmptyObject, `${roomPath(roomId)}/leave`, { body: body(EmptyObject, {}) });

const PowerLevels = Type.Object({
  users: Type.Optional(Dictionary(Type.Number())),
  users_default: Type.Optional(Type.Number()),
  redact: Type.Optional(Type.Number()),
  kick: Type.Optional(Type.Number()),
  ban: Type.Optional(Type.Number()),
});

export type OwnPermissions = { member: boolean; redact: boolean; kick: boolean; ban: boolean };

const noPermissions: OwnPermissions = { member: false, redact: false, kick: false, ban: false };

/** Returns what the signed-in admin may do in a room by power level; nothing outside the room. */
export const ownPermissionsQuery = (server: Server, roomId: string) =>
  queryOptions({
    queryKey: [server.id, 'room', roomId, 'own-power'],
    queryFn: async ({ signal }): Promise<OwnPermissions> => {
      try {
        const path = `${roomPath(roomId)}/state/m.room.power_levels`;
        const userId = server.connection.userId;
        const [levels, current] = await Promise.all([
          server.getChat(PowerLevels, path, { signal }),
          getMembership(server, { roomId, userId }, signal),
        ]);
        // After leaving, servers return the state at that time.
        if (current && current.membership !== 'join') return noPermissions;
        const level = levels.users?.[userId] ?? levels.users_default ?? 0;
        const allows = (needed = 50) => level >= needed;
        return {
          member: true,
          redact: allows(levels.redact),
          kick: allows(levels.kick),
          ban: allows(levels.ban),
        };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return noPermissions;
      }
    },
    staleTime: 30_000,
  });

type Member = { roomId: string; userId: string };

/** Returns a user's membership in a room; null if hidden from the admin or if there never was one. */
export const membershipQuery = (server: Server, { roomId, userId }: Member) =>
  queryOptions({
    queryKey: [server.id, 'room', roomId, 'membership', userId],
    queryFn: async ({ signal }): Promise<string | null> =>
      (await getMembership(server, { roomId, userId }, signal))?.membership ??
      (await getMemberships(server, userId, signal))?.[roomId] ??
      null,
    staleTime: 30_000,
  });

const Memberships = Type.Object({ memberships: Dictionary(Type.String()) });

/** Returns a user's membership by room ID; undefined if the server has no such endpoint. */
export async function getMemberships(server: Server, userId: string, signal?: AbortSignal) {
  try {
    const path = `/v1/users/${encodeURIComponent(userId)}/memberships`;
    return (await server.get(Memberships, path, signal ? { signal } : {})).memberships;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

const Membership = Type.Object({ membership: Type.Optional(Type.String()) });
const MembershipEvent = Type.Object({
  ...Membership.properties,
  sender: Type.Optional(Type.String()),
  content: Type.Optional(Membership),
});

/** Returns a membership and who set it, as far as the signed-in admin may see it. */
export async function getMembership(server: Server, { roomId, userId }: Member, signal?: AbortSignal) {
  const path = `${roomPath(roomId)}/state/m.room.member/${encodeURIComponent(userId)}?format=event`;
  try {
    const { sender, content, membership } = await server.getChat(MembershipEvent, path, { signal });
    // Servers that ignore `format` return the content alone.
    return { membership: content?.membership ?? membership, by: content && sender };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

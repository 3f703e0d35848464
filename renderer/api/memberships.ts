/** Who is in a room, and with which power. Matrix specification, client-server API, "Room membership". */
import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import { Dictionary, EmptyObject } from '../../shared/api/common.ts';
import { isRefusal } from '../transport/refusal.ts';
import { body, type Server } from '../transport/server.ts';

const roomPath = (roomId: string) => `/client/v3/rooms/${encodeURIComponent(roomId)}`;

const Change = Type.Object({ user_id: Type.String(), reason: Type.Optional(Type.String()) });

/** Removes a user from a room, keeps one out of it, or lets one in again, in the name of whoever is signed in. */
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

export type OwnPower = { member: boolean; redact: boolean; kick: boolean; ban: boolean };

const noPower: OwnPower = { member: false, redact: false, kick: false, ban: false };

/** What whoever is signed in may do in a room by themselves; outside of it that is nothing. */
export const ownPowerQuery = (server: Server, roomId: string) =>
  queryOptions({
    queryKey: [server.id, 'room', roomId, 'own-power'],
    queryFn: async ({ signal }): Promise<OwnPower> => {
      try {
        const path = `${roomPath(roomId)}/state/m.room.power_levels`;
        const userId = server.connection.userId;
        const [levels, now] = await Promise.all([
          server.getChat(PowerLevels, path, { signal }),
          membershipNow(server, { roomId, userId }, signal),
        ]);
        // Of a room that was left, a server gives the state at that time.
        if (now && now.membership !== 'join') return noPower;
        const own = levels.users?.[userId] ?? levels.users_default ?? 0;
        const may = (needed = 50) => own >= needed;
        return { member: true, redact: may(levels.redact), kick: may(levels.kick), ban: may(levels.ban) };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return noPower;
      }
    },
    staleTime: 30_000,
  });

type Member = { roomId: string; userId: string };

/** What someone is in a room; null where whoever is signed in can't see that, or they never were there. */
export const membershipQuery = (server: Server, { roomId, userId }: Member) =>
  queryOptions({
    queryKey: [server.id, 'room', roomId, 'membership', userId],
    queryFn: async ({ signal }): Promise<string | null> =>
      (await membershipNow(server, { roomId, userId }, signal))?.membership ??
      (await membershipsOfUser(server, userId, signal))?.[roomId] ??
      null,
    staleTime: 30_000,
  });

const Memberships = Type.Object({ memberships: Dictionary(Type.String()) });

/** A user's membership in every room that they are or were in; undefined where the server doesn't list them. */
export async function membershipsOfUser(server: Server, userId: string, signal?: AbortSignal) {
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

/** What someone is in a room and who made it so, as far as the server says it to whoever is signed in. */
export async function membershipNow(server: Server, { roomId, userId }: Member, signal?: AbortSignal) {
  const path = `${roomPath(roomId)}/state/m.room.member/${encodeURIComponent(userId)}?format=event`;
  try {
    const { sender, content, membership } = await server.getChat(MembershipEvent, path, { signal });
    // Who does not know the format gives the content alone.
    return { membership: content?.membership ?? membership, by: content && sender };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

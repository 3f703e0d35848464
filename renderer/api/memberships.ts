/** Room memberships. Matrix specification, client-server API, "Room membership". */
import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import { Dictionary, EmptyObject } from '../../shared/api/common.ts';
import { fits } from '../../shared/fits.ts';
import {
  MembershipEvent,
  memberPath,
  membershipRequest,
  ownMembershipRequest,
} from '../../shared/team/restrictions.ts';
import { isRefusal } from '../transport/refusal.ts';
import { type Server, sendRequest } from '../transport/server.ts';
import { ifSupported } from './optional.ts';

const roomPath = (roomId: string) => `/client/v3/rooms/${encodeURIComponent(roomId)}`;

/** Kicks, bans or unbans as the signed-in admin. */
export const changeMembership = (
  server: Server,
  change: 'kick' | 'ban' | 'unban',
  member: { roomId: string; userId: string },
  reason: string | undefined,
) => sendRequest(server, EmptyObject, membershipRequest(change, member, reason));

export const joinRoom = (server: Server, roomId: string) =>
  sendRequest(server, EmptyObject, ownMembershipRequest('join', roomId));

export const leaveRoom = (server: Server, roomId: string) =>
  sendRequest(server, EmptyObject, ownMembershipRequest('leave', roomId));

const PowerLevels = Type.Object({
  users: Type.Optional(Dictionary(Type.Number())),
  users_default: Type.Optional(Type.Number()),
  redact: Type.Optional(Type.Number()),
  kick: Type.Optional(Type.Number()),
  ban: Type.Optional(Type.Number()),
  state_default: Type.Optional(Type.Number()),
  events: Type.Optional(Dictionary(Type.Number())),
});

/** `mute`: to change power levels; `rules`: to publish rules of a policy list; `acl`: to change the server ACL. */
type OwnPermissions = Record<'member' | 'redact' | 'kick' | 'ban' | 'mute' | 'rules' | 'acl', boolean>;

const noPermissions: OwnPermissions = {
  member: false,
  redact: false,
  kick: false,
  ban: false,
  mute: false,
  rules: false,
  acl: false,
};

/** Returns the signed-in admin's permissions in a room by power level; none outside the room. */
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
        const given = levels.users?.[userId] ?? levels.users_default ?? 0;
        // Creators aren't in the event: loaded only if the level may not be enough.
        const isCreator = given < 100 && (await createdByOneself(server, roomId, signal));
        const level = isCreator ? Number.POSITIVE_INFINITY : given;
        const allows = (needed = 50) => level >= needed;
        const allowsState = (type: string) => allows(levels.events?.[type] ?? levels.state_default);
        return {
          member: true,
          redact: allows(levels.redact),
          kick: allows(levels.kick),
          ban: allows(levels.ban),
          mute: allowsState('m.room.power_levels'),
          rules: allowsState('m.policy.rule.user'),
          acl: allowsState('m.room.server_acl'),
        };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return noPermissions;
      }
    },
    staleTime: 30_000,
  });

const CreateEvent = Type.Object({
  sender: Type.String(),
  content: Type.Object({
    room_version: Type.Optional(Type.String()),
    additional_creators: Type.Optional(Type.Array(Type.String())),
  }),
});

/** Whether the signed-in admin has a creator's unlimited power, which rooms have since version 12. */
export async function createdByOneself(
  server: Server,
  roomId: string,
  signal: AbortSignal,
): Promise<boolean> {
  const path = `${roomPath(roomId)}/state/m.room.create?format=event`;
  const event = await server.getChat(Type.Unknown(), path, { signal }).catch(() => undefined);
  if (!fits(CreateEvent, event)) return false;
  const { room_version = '1', additional_creators = [] } = event.content;
  return (
    Number(room_version) >= 12 && [event.sender, ...additional_creators].includes(server.connection.userId)
  );
}

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
    return (await server.get(Memberships, path, { signal })).memberships;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

/** Returns a user's memberships by room ID; null if the server lists joined rooms only. */
export const userMembershipsQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'memberships'],
    queryFn: ({ signal }) =>
      ifSupported(
        server,
        'memberships',
        async () =>
          (await server.get(Memberships, `/v1/users/${encodeURIComponent(userId)}/memberships`, { signal }))
            .memberships,
      ),
    staleTime: 30_000,
  });

/** Returns a membership and its sender, as far as the signed-in admin may see it. */
export async function getMembership(server: Server, { roomId, userId }: Member, signal?: AbortSignal) {
  try {
    const path = memberPath(roomId, userId);
    const { sender, content, membership } = await server.getChat(MembershipEvent, path, { signal });
    // Servers that ignore `format` return the content alone.
    return { membership: content?.membership ?? membership, by: content && sender };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

/** Policy list rooms, by the client and the admin API. */
import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import { Dictionary } from '../../../shared/api/common.ts';
import { NotFound } from '../../transport/refusal.ts';
import { body, type Server } from '../../transport/server.ts';
import { serverName } from '../../transport/server-name.ts';
import { getRoom, getRoomState } from '../room.ts';
import { readRules } from './policy-matcher.ts';

/** MSC3784; Meowlnir creates rooms of this type, Draupnir also of `m.policy`. */
const policyRoomType = 'support.feline.policy.lists.msc.v1';

const shortcodeType = 'org.matrix.mjolnir.shortcode';

const segment = encodeURIComponent;
const Content = Dictionary(Type.Unknown());
const RoomId = Type.Object({ room_id: Type.String() });
const EventId = Type.Object({ event_id: Type.String() });

/** Returns a list's rules, as the server has them: without a local member, they're no longer updated. */
export const policyListQuery = (server: Server, roomId: string) =>
  queryOptions({
    queryKey: [server.id, 'policy-list', roomId],
    queryFn: async ({ signal }) => {
      const [room, state] = await Promise.all([
        getRoom(server, roomId, signal),
        getRoomState(server, roomId, signal),
      ]);
      const rules = readRules(state);
      return {
        name: room.name || room.canonical_alias || undefined,
        rules,
        changedAt: rules[0]?.at,
        isUpdated: room.joined_local_members !== 0,
      };
    },
    staleTime: 60_000,
    structuralSharing: false,
  });

/** Joins a list by ID or alias, as the signed-in user. Returns its room ID. */
export async function joinList(server: Server, room: string, via: readonly string[]): Promise<string> {
  // `server_name`: for servers before version 1.12 of the specification.
  const query = via.flatMap((name) => [`via=${segment(name)}`, `server_name=${segment(name)}`]).join('&');
  const path = `/client/v3/join/${segment(room)}${query && `?${query}`}`;
  return (await server.sendChat('POST', RoomId, path, { body: body(Content, {}) })).room_id;
}

type NewList = { name: string; alias: string; isPublic: boolean };

/** Creates a list like Draupnir and Meowlnir; the alias is also its shortcode. Returns its room ID. */
export async function createPolicyList(server: Server, { name, alias, isPublic }: NewList): Promise<string> {
  const request = {
    name,
    preset: isPublic ? 'public_chat' : 'private_chat',
    ...(isPublic && { room_alias_name: alias }),
    creation_content: { type: policyRoomType },
    initial_state: [{ type: shortcodeType, state_key: '', content: { shortcode: alias } }],
    power_level_content_override: { events_default: 50, state_default: 50 },
  };
  return (await server.sendChat('POST', RoomId, '/client/v3/createRoom', { body: body(Content, request) }))
    .room_id;
}

const rulePath = (roomId: string, type: string, stateKey: string) =>
  `/client/v3/rooms/${segment(roomId)}/state/${segment(type)}/${segment(stateKey)}`;

/** Returns a rule event's content; empty if there is none. Only for members of the room. */
export async function getRuleContent(server: Server, roomId: string, type: string, stateKey: string) {
  try {
    return await server.getChat(Content, rulePath(roomId, type, stateKey));
  } catch (error) {
    if (error instanceof NotFound) return {};
    throw error;
  }
}

/** Sets a rule event's content; empty removes the rule. */
export const putRuleContent = (
  server: Server,
  roomId: string,
  { type, stateKey, content }: { type: string; stateKey: string; content: Record<string, unknown> },
) =>
  server.sendChat('PUT', EventId, rulePath(roomId, type, stateKey), {
    body: body(Content, content),
  });

/** The room and servers of a link or an ID. @param link of matrix.to, with `?via=` */
export function viaOf(link: string, room: string, { connection }: Pick<Server, 'connection'>): string[] {
  const given = [...link.matchAll(/[?&]via=([^&\s]+)/g)].map(([, name = '']) => decodeURIComponent(name));
  const colon = room.indexOf(':');
  const own = colon === -1 ? [] : [room.slice(colon + 1)];
  return [...new Set([...given, ...own])].filter((name) => name !== serverName(connection)).slice(0, 5);
}

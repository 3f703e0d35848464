/** Finds the matches of a policy list on this server. The server can't search for them, so its lists are scanned. */
import pLimit from 'p-limit';
import { destinationList } from '../../api/federation.ts';
import { pagesOf } from '../../api/paging.ts';
import { type Matcher, matcherOf } from '../../api/policy-lists/policy-matcher.ts';
import { canHash, hashOf, type PolicyRule, type RuleKind } from '../../api/policy-lists/policy-rules.ts';
import { getRoomMembers } from '../../api/room.ts';
import { type RoomListItem, roomList } from '../../api/room-list.ts';
import { type UserListItem, userList } from '../../api/user-list.ts';
import type { Server } from '../../transport/server.ts';
import { serverName } from '../../transport/server-name.ts';

/** The rules are those that match, takedowns first. */
export type Match = { id: string; rules: readonly PolicyRule[] } & (
  | { kind: 'user'; user: UserListItem }
  | { kind: 'room'; room: RoomListItem }
  | { kind: 'server'; destination: string }
  /** A remote user in a room. */
  | { kind: 'member'; userId: string; room: RoomListItem }
);

export type Part = 'users' | 'rooms' | 'servers' | 'members';

/** Only of the parts that are scanned. */
export type ScanState = {
  matches: readonly Match[];
  scanned: Partial<Record<Part, { count: number; total: number }>>;
  /** Number of rooms with too many members. */
  skippedRooms: number;
};

/** Members of larger rooms aren't scanned. */
export const maxMembers = 1_000;
const roomsAtOnce = 3;

type Options = {
  /** Also scans remote members of rooms: one request for each room. */
  withMembers: boolean;
  /** Whether the server lists remote servers. */
  listsServers: boolean;
  signal: AbortSignal;
  onProgress: (state: ScanState) => void;
};

/** @throws ConnectionFailure, or the signal's reason; the last progress is valid */
export async function findMatches(server: Server, rules: readonly PolicyRule[], options: Options) {
  const { withMembers, listsServers, signal, onProgress } = options;
  const matcher = matcherOf(rules);
  const matches = new Map<string, Match>();
  let state: ScanState = { matches: [], scanned: {}, skippedRooms: 0 };
  const update = (change: Partial<ScanState>) => {
    signal.throwIfAborted();
    state = { ...state, ...change, matches: [...matches.values()] };
    onProgress(state);
  };
  const progress = (part: Part, count: number, total: number) =>
    update({ scanned: { ...state.scanned, [part]: { count: Math.min(count, total), total } } });
  const has = (kind: RuleKind) => rules.some((rule) => rule.kind === kind);
  const add = (match: Match) => match.rules.length > 0 && matches.set(match.id, match);

  if (has('user')) {
    const users = userList(server, { deactivated: true, locked: true, order: 'creation_ts', dir: 'b' });
    for await (const { rows: page, read, total } of pagesOf(users, signal)) {
      for (const user of page) {
        const found = await rulesOn(matcher, 'user', [user.name]);
        add({ kind: 'user', id: `user ${user.name}`, user, rules: found });
      }
      progress('users', read, total);
    }
  }
  const withRemote: RoomListItem[] = [];
  const scansMembers = withMembers && has('user');
  if (has('room') || scansMembers) {
    const rooms = roomList(server, { order: 'name', dir: 'f' });
    for await (const { rows: page, read, total } of pagesOf(rooms, signal)) {
      for (const room of page) {
        const names = [room.room_id, ...(room.canonical_alias ? [room.canonical_alias] : [])];
        add({ kind: 'room', id: `room ${room.room_id}`, room, rules: await rulesOn(matcher, 'room', names) });
        if ((room.joined_members ?? 0) > (room.joined_local_members ?? 0)) withRemote.push(room);
      }
      progress('rooms', read, total);
    }
  }
  if (has('server') && listsServers) {
    const servers = destinationList(server, { order: 'destination', dir: 'f' });
    for await (const { rows: page, read, total } of pagesOf(servers, signal)) {
      for (const { destination } of page) {
        const found = await rulesOn(matcher, 'server', [destination]);
        add({ kind: 'server', id: `server ${destination}`, destination, rules: found });
      }
      progress('servers', read, total);
    }
  }
  if (!scansMembers) return;
  const small = withRemote.filter((room) => (room.joined_members ?? 0) <= maxMembers);
  update({ skippedRooms: withRemote.length - small.length });
  progress('members', 0, small.length);
  const isLocal = (userId: string) => userId.endsWith(`:${serverName(server.connection)}`);
  const limit = pLimit(roomsAtOnce);
  let count = 0;
  const scanned = limit.map(small, async (room) => {
    const members = await getRoomMembers(server, room.room_id, signal);
    for (const userId of members.filter((member) => !isLocal(member))) {
      const found = await rulesOn(matcher, 'user', [userId]);
      add({ kind: 'member', id: `member ${userId} ${room.room_id}`, userId, room, rules: found });
    }
    progress('members', ++count, small.length);
  });
  await scanned.finally(() => limit.clearQueue());
}

async function rulesOn(matcher: Matcher, kind: RuleKind, names: readonly string[]): Promise<PolicyRule[]> {
  const isHashed = matcher.needsHash(kind) && canHash();
  const found = await Promise.all(
    names.map(async (name) =>
      isHashed ? matcher.match(kind, name, await hashOf(name)) : matcher.match(kind, name),
    ),
  );
  return [...new Set(found.flat())];
}

/** Returns the room's name, else its main address, else its ID. */
export const roomName = ({ room_id, name, canonical_alias }: RoomListItem): string =>
  name || canonical_alias || room_id;

/** Names the rule for the moderation log, which is in English. */
export const ruleForLog = (list: string, { entity, hash, recommendation, reason }: PolicyRule): string =>
  [`Policy list ${list}: ${recommendation} ${entity ?? `sha256:${hash}`}`, reason].filter(Boolean).join(', ');

/**
 * Whether a room is really the administrators'. Its name proves nothing: anyone may take the alias first, or
 * send invitations. A room is the team's only if nobody but administrators can have a say in it.
 */
import pLimit from 'p-limit';
import { Type } from 'typebox';
import { Dictionary } from '../../shared/api/common.ts';
import { fits } from '../../shared/fits.ts';
import { isAdministrator, type RoomEvent, type RoomSummary } from '../api/team-room.ts';
import type { Server } from '../transport/server.ts';
import { namespace } from './room-events.ts';

/**
 * Who of a room's people administers the server. Each is asked for by name, and seldom: to list all administrators a
 * server may read all its users.
 */

/** What was answered holds for so long. */
const holdsMs = 10 * 60_000;
/** So many are asked for at the same moment: a screen that opens waits for no more than these. */
const atOnce = 3;
/** More people than that administer no server, and no more are asked for. */
const most = 1000;

/** Gives those of these users who administer the server. */
export type AdministratorsAmong = (
  userIds: Iterable<string>,
  signal: AbortSignal,
) => Promise<ReadonlySet<string>>;

export function administratorsAmong(server: Server): AdministratorsAmong {
  const { userId: me } = server.connection;
  const ofThisServer = me.slice(me.indexOf(':'));
  /** A server refuses to look up anybody else. */
  const mayBeOne = (userId: string) => /^@[^:]+/.exec(userId)?.[0] + ofThisServer === userId;
  const answers = new Map<string, { is: boolean; at: number }>();

  async function ask(userId: string, signal: AbortSignal) {
    const known = answers.get(userId);
    if (known && Date.now() - known.at < holdsMs) return;
    answers.set(userId, { is: await isAdministrator(server, userId, signal), at: Date.now() });
  }

  return async (userIds, signal) => {
    const asked = [...new Set(userIds)].filter(mayBeOne).slice(0, most);
    const turn = pLimit(atOnce);
    await turn.map(asked, (userId) => ask(userId, signal)).finally(() => turn.clearQueue());
    return new Set(asked.filter((userId) => answers.get(userId)?.is));
  };
}

/** More people than that administer no server; a room with more isn't looked at more closely. */
const mostMembers = 1000;

export const mayBeTeamRoom = (summary: RoomSummary): boolean =>
  summary.room_type === namespace &&
  summary.join_rules === 'invite' &&
  summary.joined_members > 0 &&
  summary.joined_members <= mostMembers;

export type TeamRoom = {
  roomId: string;
  creator: string;
  /** Who of its people, now or before, administers the server: what they write counts. */
  administrators: ReadonlySet<string>;
  /** `join`, `invite`, `leave` or `ban` of each who has ever been a member. */
  memberships: ReadonlyMap<string, string>;
  /** Who is in it, or may come in, and is no administrator. What they write doesn't count, but they can read. */
  strangers: readonly string[];
  /** Whether a user was given power, as an invitation by the server does. */
  wasGivenPower(userId: string): boolean;
  /** Whether a user may remove the strangers. */
  mayRemove(userId: string): boolean;
};

const PowerLevels = Type.Object({
  users: Type.Optional(Dictionary(Type.Number())),
  users_default: Type.Optional(Type.Number()),
  kick: Type.Optional(Type.Number()),
});
const Create = Type.Object({
  type: Type.Literal(namespace),
  additional_creators: Type.Optional(Type.Array(Type.String())),
});
const Membership = Type.Object({ membership: Type.String() });

/** The team's room that this state makes; where it makes none, the others than administrators who have power in it. */
export async function teamRoomOf(
  roomId: string,
  state: readonly RoomEvent[],
  administratorsAmong: (userIds: Iterable<string>) => ReturnType<AdministratorsAmong>,
): Promise<{ room: TeamRoom | undefined; others: readonly string[] }> {
  const none = { room: undefined, others: [] };
  const find = (type: string) => state.find((event) => event.type === type && event.state_key === '');
  const create = find('m.room.create');
  const levels = find('m.room.power_levels')?.content;
  const joinRule = (find('m.room.join_rules')?.content as { join_rule?: unknown } | undefined)?.join_rule;
  const visibility = find('m.room.history_visibility')?.content as
    | { history_visibility?: unknown }
    | undefined;
  if (!create || !fits(Create, create.content) || !fits(PowerLevels, levels)) return none;
  if (joinRule !== 'invite' || visibility?.history_visibility === 'world_readable') return none;

  const creators = [create.sender, ...(create.content.additional_creators ?? [])];
  const { users = {}, users_default: usual = 0, kick = 50 } = levels;
  const powerful = Object.keys(users).filter((userId) => (users[userId] ?? 0) > 0);
  const rulers = [...new Set([...creators, ...powerful])];
  // Anyone can make a room in which a thousand people have power: its maker settles it.
  for (const asked of [[create.sender], rulers]) {
    const ruling = await administratorsAmong(asked);
    const others = asked.filter((userId) => !ruling.has(userId));
    if (usual > 0 || others.length > 0) return { room: undefined, others };
  }

  const memberships = new Map<string, string>();
  for (const { type, state_key, content } of state) {
    if (type !== 'm.room.member' || state_key === undefined || !fits(Membership, content)) continue;
    memberships.set(state_key, content.membership);
  }
  const who = (are: string) =>
    [...memberships].filter(([, membership]) => membership === are).map(([userId]) => userId);
  // Whoever is in it can invite without end: those who can write come first.
  const inside = [...who('join'), ...who('invite')];
  const administrators = await administratorsAmong([...rulers, ...inside, ...memberships.keys()]);
  const room: TeamRoom = {
    roomId,
    creator: create.sender,
    administrators,
    memberships,
    strangers: inside.filter((userId) => !administrators.has(userId)),
    wasGivenPower: (userId) => !creators.includes(userId) && powerful.includes(userId),
    mayRemove: (userId) => creators.includes(userId) || (users[userId] ?? usual) >= kick,
  };
  return { room, others: [] };
}

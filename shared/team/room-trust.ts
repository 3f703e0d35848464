/** Checks whether a room is the team room. Any user can take the alias or send invites, so neither proves it. */
import pLimit from 'p-limit';
import { Type } from 'typebox';
import { Dictionary } from '../api/common.ts';
import { fits } from '../fits.ts';
import { namespace } from './room-events.ts';
import type { RoomEvent, RoomSummary } from './room-replies.ts';

const adminCacheMs = 10 * 60_000;
/** Leaves connections free for a screen that opens. */
const maxConcurrent = 3;
const maxLookups = 1000;

/** Returns the server admins among these users. Looks users up one by one: listing all admins can be slow. */
export type AdministratorsAmong = (
  userIds: Iterable<string>,
  signal: AbortSignal,
) => Promise<ReadonlySet<string>>;

/** @param me whose server's users can be looked up */
export function adminLookup(
  me: string,
  isAdministrator: (userId: string, signal: AbortSignal) => Promise<boolean>,
): AdministratorsAmong {
  const ofThisServer = me.slice(me.indexOf(':'));
  /** Servers refuse to look up remote users. */
  const mayBeOne = (userId: string) => /^@[^:]+/.exec(userId)?.[0] + ofThisServer === userId;
  const answers = new Map<string, { is: boolean; at: number }>();

  async function ask(userId: string, signal: AbortSignal) {
    const known = answers.get(userId);
    if (known && Date.now() - known.at < adminCacheMs) return;
    answers.set(userId, { is: await isAdministrator(userId, signal), at: Date.now() });
  }

  return async (userIds, signal) => {
    const requested = [...new Set(userIds)].filter(mayBeOne).slice(0, maxLookups);
    const turn = pLimit(maxConcurrent);
    await turn.map(requested, (userId) => ask(userId, signal)).finally(() => turn.clearQueue());
    return new Set(requested.filter((userId) => answers.get(userId)?.is));
  };
}

const maxMembers = 1000;

export const mayBeTeamRoom = (summary: RoomSummary): boolean =>
  summary.room_type === namespace &&
  summary.join_rules === 'invite' &&
  summary.joined_members > 0 &&
  summary.joined_members <= maxMembers;

export type TeamRoom = {
  roomId: string;
  creator: string;
  /** Current and former members who are server admins: their entries count. */
  administrators: ReadonlySet<string>;
  /** `join`, `invite`, `leave` or `ban`, by user ID. */
  memberships: ReadonlyMap<string, string>;
  /** Joined and invited users who aren't server admins. They can read, but their entries don't count. */
  nonAdmins: readonly string[];
  /** Whether a user has an elevated power level without being a creator, as `make_room_admin` gives. */
  hasGrantedPower(userId: string): boolean;
  /** Whether a user can kick the non-admins. */
  mayRemove(userId: string): boolean;
};

/** Returns the server admins who are in the room or invited to it. */
export const moderatorsOf = ({ memberships, administrators }: TeamRoom): string[] =>
  [...memberships].flatMap(([userId, membership]) =>
    (membership === 'join' || membership === 'invite') && administrators.has(userId) ? userId : [],
  );

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

/** Returns the team room with this state; if it isn't one, the non-admins who have power in it. */
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
  const withPower = [...new Set([...creators, ...powerful])];
  // The creator first: any user can create a room with a thousand power levels to look up.
  for (const requested of [[create.sender], withPower]) {
    const ruling = await administratorsAmong(requested);
    const others = requested.filter((userId) => !ruling.has(userId));
    if (usual > 0 || others.length > 0) return { room: undefined, others };
  }

  const memberships = new Map<string, string>();
  for (const { type, state_key, content } of state) {
    if (type !== 'm.room.member' || state_key === undefined || !fits(Membership, content)) continue;
    memberships.set(state_key, content.membership);
  }
  const who = (are: string) =>
    [...memberships].filter(([, membership]) => membership === are).map(([userId]) => userId);
  // Those who can write come first, as members can exhaust the limit with invites.
  const inside = [...who('join'), ...who('invite')];
  const administrators = await administratorsAmong([...withPower, ...inside, ...memberships.keys()]);
  const room: TeamRoom = {
    roomId,
    creator: create.sender,
    administrators,
    memberships,
    nonAdmins: inside.filter((userId) => !administrators.has(userId)),
    hasGrantedPower: (userId) => !creators.includes(userId) && powerful.includes(userId),
    mayRemove: (userId) => creators.includes(userId) || (users[userId] ?? usual) >= kick,
  };
  return { room, others: [] };
}

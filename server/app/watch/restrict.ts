/** Restricts users and rooms, and lifts restrictions, with the watcher's token. */
import { Type } from 'typebox';
import { expectReply } from '../../../shared/connection.ts';
import {
  type Answers,
  leaveAfterwards,
  publicReason,
  takePower,
} from '../../../shared/team/action-inputs.ts';
import {
  isMuted,
  Levels,
  levelsPath,
  levelsRequest,
  mayChange,
  withLevel,
  withMuted,
} from '../../../shared/team/power-levels.ts';
import {
  Block,
  blockPath,
  blockRequest,
  lockRequest,
  MembershipEvent,
  makeRoomAdminRequest,
  memberPath,
  membershipRequest,
  ownMembershipRequest,
  type RestrictionState,
  shadowBanRequest,
  suspendRequest,
  userPath,
} from '../../../shared/team/restrictions.ts';
import type { Scheduled } from '../../../shared/team/scheduled.ts';
import { act, getOptional, Refused, type WatchedServer } from './watched-server.ts';

/** Returns the power levels of a room; undefined if they're hidden from the watcher's user. */
async function levelsIn({ request, dialect }: WatchedServer, roomId: string): Promise<Levels | undefined> {
  const reply = await request('GET', dialect.chat + levelsPath(roomId));
  return reply.status === 403 || reply.status === 404 ? undefined : expectReply(Levels, reply);
}

const isMute = (action: string) => action === 'mute-member' || action === 'unmute-member';

/**
 * Whether it needs no power level in a room, or the watcher's user has it or may get it. Otherwise, a console may have
 * it.
 */
export async function mayTry(server: WatchedServer, scheduled: Scheduled): Promise<boolean> {
  const { action, room_id: roomId, fields = {} } = scheduled;
  if (roomId === undefined || fields[takePower] === true) return true;
  const { userId } = server;
  // After leaving, servers return the power levels of that time.
  if ((await membershipOf(server, roomId, userId)) !== 'join') return false;
  const levels = await levelsIn(server, roomId);
  return levels !== undefined && mayChange(levels, userId, isMute(action) ? 'levels' : 'bans');
}

/** Sends the request. If the server refuses and the moderator agreed, becomes room admin and retries once. */
export async function perform(server: WatchedServer, scheduled: Scheduled, answers: Answers): Promise<void> {
  const attempt = async () => {
    const request = isMute(scheduled.action)
      ? await muteRequest(server, scheduled)
      : requestOf(scheduled, publicReason(answers));
    if (!request) throw new Refused('the action does not fit its subject');
    await act(server, request);
  };
  try {
    await attempt();
  } catch (error) {
    const { fields } = answers;
    const { room_id: roomId } = scheduled;
    if (!(error instanceof Refused) || roomId === undefined || !fields[takePower]) throw error;
    const before = await membershipOf(server, roomId, server.userId);
    await act(server, makeRoomAdminRequest(roomId, server.userId));
    await act(server, ownMembershipRequest('join', roomId));
    await attempt();
    if (fields[leaveAfterwards] && before !== 'join')
      await act(server, ownMembershipRequest('leave', roomId));
  }
}

async function muteRequest(server: WatchedServer, { action, subject, room_id: roomId }: Scheduled) {
  if (subject.kind !== 'user' || roomId === undefined) return undefined;
  const levels = await levelsIn(server, roomId);
  if (!levels) throw new Refused('the power levels of the room are hidden');
  const { user_id: userId } = subject;
  const isOn = action === 'mute-member';
  return levelsRequest(roomId, isOn ? withMuted(levels, userId) : withLevel(levels, userId, undefined));
}

/** Returns the request of an action; undefined if its subject is of another kind. */
function requestOf({ action, subject, room_id: roomId }: Scheduled, reason: string | undefined) {
  if (subject.kind === 'room') {
    if (action !== 'block-room' && action !== 'unblock-room') return undefined;
    return blockRequest(subject.room_id, action === 'block-room');
  }
  const { user_id: userId } = subject;
  const member = roomId === undefined ? undefined : { roomId, userId };
  switch (action) {
    case 'suspend-user':
    case 'unsuspend-user':
      return suspendRequest(userId, action === 'suspend-user');
    case 'lock-user':
    case 'unlock-user':
      return lockRequest(userId, action === 'lock-user');
    case 'shadow-ban-user':
    case 'unshadow-ban-user':
      return shadowBanRequest(userId, action === 'shadow-ban-user');
    case 'ban-member':
      return member && membershipRequest('ban', member, reason);
    case 'unban-member':
      return member && membershipRequest('unban', member, reason);
    default:
      return undefined;
  }
}

const Flag = Type.Optional(Type.Union([Type.Boolean(), Type.Integer(), Type.Null()]));
const User = Type.Object({ suspended: Flag, locked: Flag, shadow_banned: Flag, deactivated: Flag });

/** Returns the current state of an action's subject, as far as it's known. */
export async function stateOf(
  server: WatchedServer,
  { subject, room_id: roomId }: Scheduled,
): Promise<RestrictionState> {
  const prefix = `${server.dialect.administration}/admin`;
  if (subject.kind === 'room') {
    const block = await getOptional(server, Block, prefix + blockPath(subject.room_id));
    return { blocked: block?.block };
  }
  if (roomId !== undefined) {
    const levels = await levelsIn(server, roomId);
    const membership = await membershipOf(server, roomId, subject.user_id);
    return { membership, muted: levels ? isMuted(levels, subject.user_id) : null };
  }
  const user = await getOptional(server, User, prefix + userPath(subject.user_id));
  // Changing a missing user would create it.
  if (!user) throw new Refused('no such user');
  return { user };
}

/** Returns a membership; undefined if it's hidden from the watcher's user or there never was one. */
async function membershipOf(
  server: WatchedServer,
  roomId: string,
  userId: string,
): Promise<string | undefined> {
  const reply = await server.request('GET', server.dialect.chat + memberPath(roomId, userId));
  if (reply.status === 403 || reply.status === 404) return undefined;
  const { content, membership } = expectReply(MembershipEvent, reply);
  // Servers that ignore `format` return the content alone.
  return content?.membership ?? membership;
}

/**
 * The authorization rules of a room version, in order, as far as they apply on a single server. Room versions,
 * "Authorization rules".
 */
import type { JsonObject } from '../../../../shared/api/common.ts';
import { isUserId, serverOf } from '../../../platform/core/identifiers.ts';
import { forbidden, MatrixError } from '../../../platform/core/matrix-error.ts';
import { creatorsOf, type RoomRules, rulesOf, rulesOfRoom } from '../room-version.ts';
import { authorizeLevels } from './power-level-rules.ts';
import { levelsOfRoom, type PowerLevels } from './power-levels.ts';

export type ProposedEvent = {
  type: string;
  sender: string;
  roomId: string;
  stateKey?: string | undefined;
  content: JsonObject;
  /** Number of events before it. */
  depth: number;
};

type StateEvent = { sender: string; content: JsonObject };

/** The room's state before the event. */
export type AuthState = (type: string, stateKey: string) => StateEvent | undefined;

/** @throws MatrixError 403 if a rule doesn't allow the event */
export function authorize(event: ProposedEvent, state: AuthState): void {
  if (event.type === 'm.room.create') {
    authorizeCreate(event);
    return;
  }

  const create = state('m.room.create', '');
  if (!create) throw forbidden('Unknown room');
  if (create.content['m.federate'] === false && serverOf(event.sender) !== serverOf(create.sender)) {
    throw forbidden('This room has been marked as unfederatable.');
  }
  const rules = rulesOfRoom(create.content);
  const room: RoomState = {
    state,
    rules,
    creators: creatorsOf(create),
    levels: levelsOfRoom(create, state('m.room.power_levels', '')?.content),
    membership: (userId) => membershipOf(state, userId),
  };
  // Needs no membership.
  if (rules.hasServerAliases && event.type === 'm.room.aliases') {
    if (event.stateKey === serverOf(event.sender)) return;
    throw forbidden('A server can only set its own aliases');
  }
  if (event.type === 'm.room.member') authorizeMember(event, room);
  else authorizeOther(event, room);
}

/** Events that need membership. */
function authorizeOther(event: ProposedEvent, room: RoomState): void {
  requireJoined(event, room);
  if (event.type === 'm.room.third_party_invite') {
    requireLevel(event, room, room.levels.to('invite'), 'send third-party invites');
    return;
  }
  const required = room.levels.toSend(event.type, event.stateKey !== undefined);
  requireLevel(event, room, required, 'post that to the room');
  if (event.stateKey?.startsWith('@') && event.stateKey !== event.sender) {
    throw forbidden('You are not allowed to set others state');
  }
  if (event.type === 'm.room.power_levels') {
    requireUnlistedCreators(room, event.content);
    const current = room.state('m.room.power_levels', '')?.content;
    authorizeLevels(event.sender, room.levels.ofUser(event.sender), current, event.content);
  }
}

/** Creators with unlimited power can't have a level. */
function requireUnlistedCreators({ rules, creators }: RoomState, { users }: JsonObject): void {
  if (!rules.hasPrivilegedCreators || typeof users !== 'object' || users === null) return;
  const listed = creators.find((creator) => Object.hasOwn(users, creator));
  if (listed === undefined) return;
  throw new MatrixError(400, 'M_UNKNOWN', `Creator user ${listed} must not appear in content.users`);
}

type RoomState = {
  state: AuthState;
  rules: RoomRules;
  creators: readonly string[];
  levels: PowerLevels;
  membership(userId: string): string;
};

function membershipOf(state: AuthState, userId: string): string {
  const membership = state('m.room.member', userId)?.content.membership;
  return typeof membership === 'string' ? membership : 'leave';
}

function authorizeCreate(event: ProposedEvent): void {
  if (event.depth > 0) throw forbidden('Room has already been created');
  const rules = rulesOf(String(event.content.room_version));
  if (!rules) throw forbidden('Unsupported room version');
  if (rules.hasPrivilegedCreators) {
    const { additional_creators: others = [] } = event.content;
    if (!Array.isArray(others)) throw badCreators('additional_creators must be an array');
    if (!others.every((other) => typeof other === 'string' && isUserId(other))) {
      throw badCreators('entry in additional_creators is not a valid user ID');
    }
  } else if (serverOf(event.roomId) !== serverOf(event.sender)) {
    throw forbidden("The room ID must have the domain of the creator's server");
  }
}

const badCreators = (sentence: string) => new MatrixError(400, 'M_FORBIDDEN', sentence);

function authorizeMember(event: ProposedEvent, room: RoomState): void {
  const { stateKey: target, content } = event;
  if (target === undefined || typeof content.membership !== 'string') {
    throw forbidden('The state key of a membership must be a user ID');
  }
  switch (content.membership) {
    case 'join':
      authorizeJoin(event, target, room);
      break;
    case 'invite':
      authorizeInvite(event, target, room);
      break;
    case 'leave':
      if (event.sender === target) authorizeLeave(event, target, room);
      else authorizeKick(event, target, room);
      break;
    case 'ban':
      authorizeBan(event, target, room);
      break;
    case 'knock':
      if (!room.rules.hasKnocking) throw forbidden('Unknown membership knock');
      authorizeKnock(event, target, room);
      break;
    default:
      throw forbidden(`'${content.membership}' is not a membership`);
  }
}

function authorizeJoin(event: ProposedEvent, target: string, room: RoomState): void {
  if (event.depth === 1 && target === room.creators[0] && event.sender === target) return;
  if (event.sender !== target) throw forbidden('Cannot force another user to join.');
  const membership = room.membership(target);
  if (membership === 'ban') throw badState('Cannot join user who was banned');
  const rule = joinRule(room);
  if (rule === 'public' || membership === 'join' || membership === 'invite') return;
  if (rule === 'restricted' || rule === 'knock_restricted') {
    const authority = event.content.join_authorised_via_users_server;
    if (typeof authority !== 'string') {
      throw forbidden('You do not belong to any of the required rooms/spaces to join this room.');
    }
    if (room.membership(authority) === 'join' && room.levels.ofUser(authority) >= room.levels.to('invite')) {
      return;
    }
    throw forbidden(`${authority} may not let others join this room.`);
  }
  throw forbidden('You are not invited to this room.');
}

/** A missing or unknown join rule means `invite`. */
function joinRule({ state, rules }: RoomState): string {
  const rule = state('m.room.join_rules', '')?.content.join_rule;
  const isKnown =
    rule === 'public' ||
    (rule === 'knock' && rules.hasKnocking) ||
    (rule === 'restricted' && rules.hasRestrictedJoins) ||
    (rule === 'knock_restricted' && rules.hasKnockRestricted);
  return isKnown ? rule : 'invite';
}

function authorizeInvite(event: ProposedEvent, target: string, room: RoomState): void {
  if (event.content.third_party_invite !== undefined) {
    throw forbidden("This server doesn't support third-party invites");
  }
  requireJoined(event, room);
  const membership = room.membership(target);
  if (membership === 'ban') throw badState(`${target} is banned from the room`);
  if (membership === 'join') throw forbidden(`${target} is already in the room.`);
  requireLevel(event, room, room.levels.to('invite'), 'invite');
}

function authorizeLeave(event: ProposedEvent, target: string, room: RoomState): void {
  const membership = room.membership(target);
  if (membership !== 'join' && membership !== 'invite' && membership !== 'knock') {
    throw forbidden(`${event.sender} not in room ${event.roomId}.`);
  }
}

/** A kick, an unban or a withdrawn invitation. */
function authorizeKick(event: ProposedEvent, target: string, room: RoomState): void {
  requireJoined(event, room);
  if (room.membership(target) === 'ban') requireLevel(event, room, room.levels.to('ban'), 'unban');
  requireLevel(event, room, room.levels.to('kick'), 'kick');
  requireOutranked(event, target, room, 'kick');
}

function authorizeBan(event: ProposedEvent, target: string, room: RoomState): void {
  requireJoined(event, room);
  requireLevel(event, room, room.levels.to('ban'), 'ban');
  requireOutranked(event, target, room, 'ban');
}

function authorizeKnock(event: ProposedEvent, target: string, room: RoomState): void {
  const rule = joinRule(room);
  if (rule !== 'knock' && rule !== 'knock_restricted') {
    throw forbidden("You don't have permission to knock");
  }
  if (event.sender !== target) throw forbidden('You cannot knock for other users');
  const membership = room.membership(target);
  if (membership === 'ban' || membership === 'invite' || membership === 'join') {
    throw forbidden(`You cannot knock while your membership is ${membership}`);
  }
}

function requireJoined(event: ProposedEvent, room: RoomState): void {
  if (room.membership(event.sender) !== 'join') {
    throw forbidden(`User ${event.sender} not in room ${event.roomId}`);
  }
}

function requireLevel(event: ProposedEvent, room: RoomState, required: number, what: string): void {
  const own = room.levels.ofUser(event.sender);
  if (own < required) {
    throw forbidden(
      `You don't have permission to ${what}. user_level (${own}) < required_level (${required})`,
    );
  }
}

function requireOutranked(event: ProposedEvent, target: string, room: RoomState, what: string): void {
  if (room.levels.ofUser(target) >= room.levels.ofUser(event.sender)) {
    throw forbidden(`You cannot ${what} user ${target}.`);
  }
}

/** For refusals due to the target's membership. */
const badState = (sentence: string) => new MatrixError(403, 'M_BAD_STATE', sentence);

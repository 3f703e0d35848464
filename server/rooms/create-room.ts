/** Making rooms. Matrix specification, client-server API, `POST …/createRoom`. */

import type { JsonObject } from '../../shared/api/common.ts';
import type { CreateRoomRequest } from '../../shared/api/room-creation.ts';
import { newRoomAlias, newRoomId, requireUserId } from '../core/identifiers.ts';
import { forbidden, MatrixError, missingParameter } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import { findRoomByAlias, insertAlias } from './alias-store.ts';
import { addEvents, type EventDraft, type RoomContext } from './append-events.ts';
import { mayPublish, requireMayCreateAlias } from './directory-rules.ts';
import { invitationContents, memberContent, requireLocalUser } from './member-content.ts';
import { newRoom, type OpenRoom } from './open-room.ts';
import { countRoom, insertRoom, type RoomRecord } from './room-store.ts';
import { defaultVersion, type RoomRules, rulesOf } from './room-version.ts';
import { writeDown } from './room-writes.ts';
import { wakeAfterCommit } from './wake-after-commit.ts';

/** A room as it will be, of which nothing is written down yet. */
export type PlannedRoom = {
  room: OpenRoom;
  record: RoomRecord;
  /** Its first alias, if it gets one. */
  alias: string | undefined;
};

/**
 * Makes a room with its first events and invitations, all or nothing, and gives its identifier. A server
 * administrator (`admin`) may publish any room.
 *
 * @throws MatrixError 400 and 403 for what can't be made as asked
 */
export async function createRoom(
  context: RoomContext & { db: Database },
  creator: string,
  request: CreateRoomRequest,
  { admin = false } = {},
): Promise<string> {
  // It may be large: planned outside of the transaction, that one is shorter.
  const planned = await planRoom(context.db, context, creator, request, { admin });
  await inTransaction(context.db, (tx) => writeRoom(tx, context, planned));
  return planned.record.roomId;
}

/**
 * Makes the first events of a room that nobody can see before it is written down.
 *
 * @throws MatrixError 400 and 403 for what can't be made as asked
 */
export async function planRoom(
  db: Database,
  context: RoomContext,
  creator: string,
  request: CreateRoomRequest,
  { admin = false } = {},
): Promise<PlannedRoom> {
  const rules = requireSupported(request.room_version ?? defaultVersion);
  if (request.invite_3pid?.length) {
    throw missingParameter('Invitations by address are not supported by this server');
  }
  const { serverName } = context.config;
  const invited = [...new Set((request.invite ?? []).map(requireUserId))];
  for (const userId of invited) requireLocalUser(userId, serverName);
  if (invited.includes(creator)) throw forbidden(`${creator} is already in the room.`);
  const alias = request.room_alias_name ? newRoomAlias(request.room_alias_name, serverName) : undefined;
  if (alias) context.appServices.refuseReservedAlias(alias, creator);

  const createdTs = context.clock.now();
  const wantsPublic = request.visibility === 'public';

  const preset = request.preset ?? (wantsPublic ? 'public_chat' : 'private_chat');
  const drafts: EventDraft[] = [
    {
      ...state(creator, 'm.room.create'),
      content: creationContent(rules, creator, request, preset, invited),
    },
    {
      ...state(creator, 'm.room.member', creator),
      content: await memberContent(db, creator, 'join'),
    },
    ...firstState(rules, creator, request, preset, invited, alias),
  ];
  const contents = await invitationContents(db, invited);
  for (const [index, userId] of invited.entries()) {
    const extra = request.is_direct ? { is_direct: true } : {};
    drafts.push({
      ...state(creator, 'm.room.member', userId),
      content: { ...contents[index], ...extra },
    });
  }
  // Some are called by the hash of their first event.
  const initialId = rules.hasPrivilegedCreators ? '' : newRoomId(serverName);
  const room = newRoom(db, context.roomMemory, { roomId: initialId, newAlias: alias });
  await addEvents(room, context, drafts);
  const { roomId } = room;
  if (alias) await requireMayCreateAlias(context.config, creator, alias, roomId);
  if (alias && (await findRoomByAlias(db, alias))) throw aliasTaken();
  // Whoever may not publish it gets the room all the same, as on deployed servers.
  const named = { roomId, aliases: alias ? [alias] : [] };
  const isPublic = wantsPublic && (await mayPublish(context.config, { userId: creator, admin }, named));

  const { headEventId, headDepth, joinedMembers, stateEvents } = room;
  const record: RoomRecord = {
    ...bareRoom,
    ...room.change,
    ...{ roomId, roomVersion: rules.version, creator, createdTs, isPublic },
    ...{ headEventId, headDepth, joinedMembers, stateEvents },
  };
  return { room, record, alias };
}

/** Writes a planned room down. @throws MatrixError 400 where its alias was taken meanwhile */
export async function writeRoom(
  tx: Tx,
  { notifier, countNotifications }: Pick<RoomContext, 'notifier' | 'countNotifications'>,
  { room, record, alias }: PlannedRoom,
): Promise<void> {
  const { roomId, creator, createdTs } = record;
  await insertRoom(tx, record);
  if (alias && !(await insertAlias(tx, { alias, roomId, creator, createdTs }))) throw aliasTaken();
  const places = await writeDown(tx, roomId, room.writes);
  await countNotifications(tx, room, places);
  await countRoom(tx, record);
  wakeAfterCommit(tx, notifier, roomId, room.writes);
}

const aliasTaken = () => new MatrixError(400, 'M_ROOM_IN_USE', 'Room alias already taken');

/** What a room is of which its state says nothing. */
const bareRoom = {
  name: null,
  topic: null,
  canonicalAlias: null,
  joinRule: 'invite',
  historyVisibility: 'shared',
  avatar: null,
  encryption: null,
  guestAccess: null,
  roomType: null,
  federatable: true,
};

type Preset = NonNullable<CreateRoomRequest['preset']>;

const state = (sender: string, type: string, stateKey = '') => ({ sender, type, stateKey });

/** @throws MatrixError 400 */
export function requireSupported(version: string): RoomRules {
  const rules = rulesOf(version);
  if (rules) return rules;
  throw new MatrixError(
    400,
    'M_UNSUPPORTED_ROOM_VERSION',
    'Your homeserver does not support this room version',
  );
}

/** What a room's first event says. Where creators have privileges, those who are trusted like one are creators, too. */
function creationContent(
  rules: RoomRules,
  creator: string,
  { creation_content: given = {} }: CreateRoomRequest,
  preset: Preset,
  invited: string[],
): JsonObject {
  const { additional_creators: others } = given;
  const trusted = rules.hasPrivilegedCreators && preset === 'trusted_private_chat' ? invited : [];
  const together = Array.isArray(others) ? [...new Set([...others, ...trusted])] : trusted;
  return {
    ...given,
    ...(trusted.length > 0 &&
      (others === undefined || Array.isArray(others)) && { additional_creators: together }),
    ...(!rules.isTidy && { creator }),
    room_version: rules.version,
  };
}

/** The state between the creator's arrival and the invitations: the preset's, unless the request brings its own. */
function firstState(
  rules: RoomRules,
  creator: string,
  request: CreateRoomRequest,
  preset: Preset,
  invited: string[],
  alias: string | undefined,
): EventDraft[] {
  const wanted = new Map(
    (request.initial_state ?? []).map(({ type, state_key, content }) => [
      `${type}\0${state_key}`,
      { ...state(creator, type, state_key), content },
    ]),
  );
  const drafts: EventDraft[] = [];
  const set = (type: string, content: JsonObject) => {
    drafts.push(wanted.get(`${type}\0`) ?? { ...state(creator, type), content });
    wanted.delete(`${type}\0`);
  };
  set('m.room.power_levels', firstPowerLevels(rules, creator, request, preset, invited));
  if (alias) set('m.room.canonical_alias', { alias });
  set('m.room.join_rules', { join_rule: preset === 'public_chat' ? 'public' : 'invite' });
  set('m.room.history_visibility', { history_visibility: 'shared' });
  if (preset !== 'public_chat') set('m.room.guest_access', { guest_access: 'can_join' });
  drafts.push(...wanted.values());
  if (request.name !== undefined) drafts.push(nameOf(creator, request.name));
  if (request.topic !== undefined) {
    const content = { topic: request.topic, 'm.topic': { 'm.text': [{ body: request.topic }] } };
    drafts.push({ ...state(creator, 'm.room.topic'), content });
  }
  return drafts;
}

const nameOf = (creator: string, name: string): EventDraft => ({
  ...state(creator, 'm.room.name'),
  content: { name },
});

function firstPowerLevels(
  rules: RoomRules,
  creator: string,
  request: CreateRoomRequest,
  preset: Preset,
  invited: string[],
): JsonObject {
  const trusted = preset === 'trusted_private_chat' ? invited : [];
  // Creators may have privileges instead of a level.
  const listed = rules.hasPrivilegedCreators ? [] : [creator, ...trusted];
  // Whoever calls a public room calls everyone in it.
  const calls = preset === 'public_chat' ? { 'm.call.invite': 50 } : {};
  const levels: JsonObject = {
    users: Object.fromEntries(listed.map((userId) => [userId, 100])),
    users_default: 0,
    events: {
      'm.room.name': 50,
      'm.room.power_levels': 100,
      'm.room.history_visibility': 100,
      'm.room.canonical_alias': 50,
      'm.room.avatar': 50,
      'm.room.tombstone': rules.hasPrivilegedCreators ? 150 : 100,
      'm.room.server_acl': 100,
      'm.room.encryption': 100,
      ...calls,
    },
    events_default: 0,
    state_default: 50,
    ban: 50,
    kick: 50,
    redact: 50,
    // Among people who know each other anyone may bring someone along.
    invite: preset === 'public_chat' ? 50 : 0,
    historical: 100,
    // Deployed servers have it here as well.
    ...calls,
    ...request.power_level_content_override,
  };
  const { users } = levels;
  const isListed = typeof users !== 'object' || users === null || Object.hasOwn(users, creator);
  if (!isListed && !rules.hasPrivilegedCreators) {
    throw new MatrixError(
      400,
      'M_UNKNOWN',
      `Not a valid power_level_content_override: 'users' did not contain ${creator}`,
    );
  }
  return levels;
}

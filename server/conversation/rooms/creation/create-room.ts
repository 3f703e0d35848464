/** Making rooms. Matrix specification, client-server API, `POST …/createRoom`. */
import type { CreateRoomRequest } from '../../../../shared/api/rooms.ts';
import { holdUser } from '../../../identity/accounts/user-store.ts';
import { yieldToEventLoop } from '../../../platform/concurrency/yield.ts';
import { newRoomAlias, newRoomId, requireUserId } from '../../../platform/core/identifiers.ts';
import { forbidden, MatrixError, missingParameter } from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../../platform/database/transaction.ts';
import { findRoomByAlias, insertAlias } from '../directory/alias-store.ts';
import { mayPublish, requireMayCreateAlias } from '../directory/directory-rules.ts';
import { addEvent, afterAppending, type EventDraft, type RoomContext } from '../events/append-events.ts';
import { newRoom, type OpenRoom } from '../events/open-room.ts';
import { persist } from '../events/room-writes.ts';
import { invitationContents, memberContent, requireLocalUser } from '../membership/change-membership.ts';
import { countRoom, insertRoom, type RoomRecord } from '../room-store.ts';
import { defaultVersion, type RoomRules, rulesOf } from '../room-version.ts';
import { creationContent, firstState, type Preset, stateDraft } from './first-events.ts';

/** A room as it will be, of which nothing is written down yet. */
export type PlannedRoom = {
  room: OpenRoom;
  record: RoomRecord;
  /** Its first alias, if it gets one. */
  alias: string | undefined;
};

/** A server administrator may publish any room; an application service names rooms by its own aliases only. */
type Maker = { admin?: boolean; appServiceId?: string | undefined };

/**
 * Makes a room with its first events and invitations, all or nothing, and gives its identifier.
 *
 * @throws MatrixError 400 and 403 for what can't be made as asked
 */
export async function createRoom(
  context: RoomContext & { db: Database },
  creator: string,
  request: CreateRoomRequest,
  maker: Maker = {},
): Promise<string> {
  // It may be large: planned outside of the transaction, that one is shorter.
  const planned = await planRoom(context.db, context, creator, request, maker);
  await inTransaction(context.db, async (tx) => {
    await holdUser(tx, creator);
    await writeRoom(tx, context, planned);
  });
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
  { admin = false, appServiceId }: Maker = {},
): Promise<PlannedRoom> {
  const rules = requireSupported(request.room_version ?? defaultVersion);
  if (request.invite_3pid?.length) {
    throw missingParameter("This server doesn't support third-party invites");
  }
  const { serverName } = context.config;
  const invited = [...new Set((request.invite ?? []).map(requireUserId))];
  for (const userId of invited) requireLocalUser(userId, serverName);
  if (invited.includes(creator)) throw forbidden(`${creator} is already in the room.`);
  const alias = request.room_alias_name ? newRoomAlias(request.room_alias_name, serverName) : undefined;
  if (alias) context.appServices.refuseReservedAlias(alias, creator, appServiceId);

  const createdTs = context.clock.now();
  const wantsPublic = request.visibility === 'public';

  const preset: Preset = request.preset ?? (wantsPublic ? 'public_chat' : 'private_chat');
  const drafts: EventDraft[] = [
    {
      ...stateDraft(creator, 'm.room.create'),
      content: creationContent(rules, creator, request, preset, invited),
    },
    {
      ...stateDraft(creator, 'm.room.member', creator),
      content: await memberContent(db, creator, 'join'),
    },
    ...firstState(rules, creator, request, preset, invited, alias),
  ];
  const contents = await invitationContents(db, invited);
  for (const [index, userId] of invited.entries()) {
    const extra = request.is_direct ? { is_direct: true } : {};
    drafts.push({
      ...stateDraft(creator, 'm.room.member', userId),
      content: { ...contents[index], ...extra },
    });
  }
  // Some are called by the hash of their first event.
  const initialId = rules.hasPrivilegedCreators ? '' : newRoomId(serverName);
  const room = newRoom(db, context.roomMemory, { roomId: initialId, newAlias: alias });
  for (const draft of drafts) {
    await yieldToEventLoop();
    await addEvent(room, context, draft);
  }
  const { roomId } = room;
  if (alias) requireMayCreateAlias(context.config, creator, alias, roomId);
  if (alias && (await findRoomByAlias(db, alias))) throw aliasTaken();
  // Whoever may not publish it gets the room all the same, as on deployed servers.
  const named = { roomId, aliases: alias ? [alias] : [] };
  const isPublic = wantsPublic && mayPublish(context.config, { userId: creator, admin }, named);

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
  context: RoomContext,
  { room, record, alias }: PlannedRoom,
): Promise<void> {
  const { roomId, creator, createdTs } = record;
  await insertRoom(tx, record);
  if (alias && !(await insertAlias(tx, { alias, roomId, creator, createdTs }))) throw aliasTaken();
  const positions = await persist(tx, roomId, room.writes);
  await afterAppending(tx, context, room, positions);
  await countRoom(tx, record);
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

/** Creating rooms. Client-server API, "Creation". */
import type { CreateRoomRequest } from '../../../../shared/api/rooms.ts';
import { lockActiveUser } from '../../../identity/accounts/user-store.ts';
import { yieldToEventLoop } from '../../../platform/concurrency/yield.ts';
import { newRoomAlias, newRoomId, requireUserId, roomIdOf } from '../../../platform/core/identifiers.ts';
import { forbidden, MatrixError, missingParameter } from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../../platform/database/transaction.ts';
import { findRoomByAlias, insertAlias } from '../directory/alias-store.ts';
import { mayPublish, requireMayCreateAlias } from '../directory/directory-rules.ts';
import { announceEvents, type EventDraft, type RoomContext, stageEvent } from '../events/append-events.ts';
import { type OpenRoom, openNewRoom, writeStaged } from '../events/open-room.ts';
import { invitationContents, memberContent, requireLocalInvitee } from '../membership/change-membership.ts';
import { countRoom, findRoom, insertRoom, type RoomRecord } from '../room-store.ts';
import { defaultVersion, type RoomRules, rulesOf } from '../room-version.ts';
import { creationContent, firstState, type Preset, stateDraft } from './first-events.ts';

/** A new room with its staged events. Nothing is written yet. */
type PlannedRoom = {
  room: OpenRoom;
  record: RoomRecord;
  /** Its first alias, if it gets one. */
  alias: string | undefined;
};

/** Server admins may publish any room; application services may only use aliases of their own. */
type CreatorRights = {
  admin?: boolean;
  appServiceId?: string | undefined;
  /** Determines the room ID, which is random otherwise. */
  idFrom?: string;
};

/**
 * Creates a room with its first events and invitations, all or nothing. Returns the room ID.
 *
 * @throws MatrixError 400 or 403 for an invalid or forbidden request
 */
export async function createRoom(
  context: RoomContext & { db: Database },
  creator: string,
  request: CreateRoomRequest,
  rights: CreatorRights = {},
): Promise<string> {
  // It may be large: planned before the transaction, which is shorter then.
  const planned = await planRoom(context.db, context, creator, request, rights);
  const { roomId } = planned.record;
  if (rights.idFrom !== undefined && (await findRoom(context.db, roomId))) {
    throw new MatrixError(400, 'M_ROOM_IN_USE', 'Room already exists');
  }
  await inTransaction(context.db, async (tx) => {
    await lockActiveUser(tx, creator);
    await writePlannedRoom(tx, context, planned);
  });
  return roomId;
}

/**
 * Stages the first events of a new room, without writing anything.
 *
 * @throws MatrixError 400 or 403 for an invalid or forbidden request
 */
export async function planRoom(
  db: Database,
  context: RoomContext,
  creator: string,
  request: CreateRoomRequest,
  { admin = false, appServiceId, idFrom }: CreatorRights = {},
): Promise<PlannedRoom> {
  const rules = requireSupported(request.room_version ?? defaultVersion);
  if (request.invite_3pid?.length) {
    throw missingParameter("This server doesn't support third-party invites");
  }
  const { serverName } = context.config;
  const invited = [...new Set((request.invite ?? []).map(requireUserId))];
  for (const userId of invited) requireLocalInvitee(userId, serverName);
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
      ...(idFrom !== undefined && { salt: idFrom }),
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
  // From room version 12 on, the create event determines the room ID.
  const ownId = idFrom === undefined ? newRoomId(serverName) : roomIdOf(idFrom, serverName);
  const initialId = rules.hasPrivilegedCreators ? '' : ownId;
  const room = openNewRoom(db, context.roomMemory, { roomId: initialId, newAlias: alias });
  for (const draft of drafts) {
    await yieldToEventLoop();
    await stageEvent(room, context, draft);
  }
  const { roomId } = room;
  if (alias) requireMayCreateAlias(context.config, creator, alias, roomId);
  if (alias && (await findRoomByAlias(db, alias))) throw aliasTaken();
  // Like Synapse, create the room even if the user may not publish it.
  const named = { roomId, aliases: alias ? [alias] : [] };
  const isPublic = wantsPublic && mayPublish(context.config, { userId: creator, admin }, named);

  const { headEventId, headDepth, joinedMembers, stateEvents } = room;
  const record: RoomRecord = {
    ...withoutState,
    ...room.change,
    ...{ roomId, roomVersion: rules.version, creator, createdTs, isPublic },
    ...{ headEventId, headDepth, joinedMembers, stateEvents },
  };
  return { room, record, alias };
}

/** Writes a planned room. @throws MatrixError 400 if its alias was taken in the meantime */
export async function writePlannedRoom(
  tx: Tx,
  context: RoomContext,
  { room, record, alias }: PlannedRoom,
): Promise<void> {
  const { roomId, creator, createdTs } = record;
  await insertRoom(tx, record);
  if (alias && !(await insertAlias(tx, { alias, roomId, creator, createdTs }))) throw aliasTaken();
  const positions = await writeStaged(tx, room);
  await announceEvents(tx, context, room, positions);
  await countRoom(tx, record);
}

const aliasTaken = () => new MatrixError(400, 'M_ROOM_IN_USE', 'Room alias already taken');

/** Columns that no state event sets. */
const withoutState = {
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

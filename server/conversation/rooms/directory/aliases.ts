/** Creating, deleting and resolving room aliases. Client-server API, "Room Aliases". */
import {
  isRoomAlias,
  isRoomId,
  localpartOf,
  newRoomAlias,
  serverOf,
} from '../../../platform/core/identifiers.ts';
import {
  forbidden,
  ignoreRefusal,
  invalidParameter,
  MatrixError,
  notFound,
} from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../../platform/database/transaction.ts';
import { askForRoom, type RoomQueryContext } from '../../application-services/ask-for-room.ts';
import { appendEvent, type RoomContext } from '../events/append-events.ts';
import { findPower } from '../events/power-levels.ts';
import { findMembership } from '../membership/membership-store.ts';
import { lockRoom } from '../room-store.ts';
import { findState } from '../state/room-state-store.ts';
import * as aliases from './alias-store.ts';
import { requireMayCreateAlias } from './directory-rules.ts';

type Context = RoomContext & { db: Database };

/** Server admins and application services needn't be in the room. */
export type Actor = { userId: string; admin: boolean; appServiceId?: string | undefined };

/** @throws MatrixError 400 for an invalid or remote alias or an unknown room; 403; 409 if the alias is taken */
export async function createAlias(
  context: Context,
  { userId, admin, appServiceId }: Actor,
  text: string,
  roomId: string,
): Promise<void> {
  const { config, clock } = context;
  await inTransaction(context.db, async (tx) => {
    requireAlias(text);
    if (serverOf(text) !== config.serverName) throw unknown(400, 'Room alias must be local');
    const alias = newRoomAlias(localpartOf(text), config.serverName);
    if (!(await lockRoom(tx, roomId))) throw unknown(400, 'Room does not exist');
    const isForMembers = config.roomDirectory.aliasesByMembers && !admin && appServiceId === undefined;
    if (isForMembers && (await findMembership(tx, roomId, userId))?.membership !== 'join') {
      throw forbidden('You must be in the room to create an alias for it');
    }
    context.appServices.refuseReservedAlias(alias, userId, appServiceId);
    requireMayCreateAlias(config, userId, alias, roomId);
    const created = { alias, roomId, creator: userId, createdTs: clock.now() };
    if (!(await aliases.insertAlias(tx, created))) {
      throw unknown(409, `Room alias ${alias} already exists`);
    }
  });
}

/**
 * Deletes an alias and removes it from `m.room.canonical_alias`.
 *
 * @throws MatrixError 404; 403 unless the user has created it or may change the room's aliases
 */
export async function deleteAlias(
  context: Context,
  { userId, admin, appServiceId }: Actor,
  alias: string,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    requireAlias(alias);
    const found = await aliases.findAlias(tx, alias);
    if (!found) throw notFound('Unknown room alias');
    await lockRoom(tx, found.roomId);
    if (appServiceId !== undefined) context.appServices.refuseReservedAlias(alias, userId, appServiceId);
    else if (!admin && found.creator !== userId && !(await mayNameRoom(tx, found.roomId, userId))) {
      throw forbidden("You don't have permission to delete the alias.");
    }
    await aliases.deleteAlias(tx, alias);
    // A user who deletes the alias may lack the power to change `m.room.canonical_alias`, which then keeps a dead
    // alias.
    await forgetAlias(tx, context, found.roomId, userId, alias).catch(ignoreRefusal);
  });
}

async function forgetAlias(
  tx: Tx,
  context: RoomContext,
  roomId: string,
  userId: string,
  deleted: string,
): Promise<void> {
  const [canonical] = await findState(tx, roomId, [['m.room.canonical_alias', '']]);
  if (!canonical) return;
  const { alias, alt_aliases: others, ...rest } = canonical.pdu.content;
  const remaining = Array.isArray(others) ? others.filter((other) => other !== deleted) : [];
  const lost = alias === deleted || (Array.isArray(others) && remaining.length < others.length);
  if (!lost) return;
  await appendEvent(tx, context, roomId, {
    type: 'm.room.canonical_alias',
    stateKey: '',
    sender: userId,
    content: {
      ...rest,
      ...(alias !== deleted && alias !== undefined && { alias }),
      ...(remaining.length > 0 && { alt_aliases: remaining }),
    },
  });
}

/** Whether a user may send `m.room.canonical_alias`. @throws MatrixError 403 if they aren't in the room */
export async function mayNameRoom(db: Database, roomId: string, userId: string): Promise<boolean> {
  if ((await findMembership(db, roomId, userId))?.membership !== 'join') {
    throw forbidden(`User ${userId} not in room ${roomId}`);
  }
  const levels = (await findPower(db, roomId))?.levels;
  return levels !== undefined && levels.ofUser(userId) >= levels.toSend('m.room.canonical_alias', true);
}

export type AliasContext = RoomQueryContext & { db: Database; config: { serverName: string } };

/**
 * Returns the room of an alias. For an unknown one, asks the application service that reserves it, which may create it.
 *
 * @param asker user ID, or network of an anonymous client; limits the requests to application services
 */
export async function findAliasedRoom(
  context: AliasContext,
  alias: string,
  asker: string,
): Promise<string | undefined> {
  const found = await aliases.findRoomByAlias(context.db, alias);
  if (found !== undefined || serverOf(alias) !== context.config.serverName) return found;
  return (await askForRoom(context, alias, asker)) ? aliases.findRoomByAlias(context.db, alias) : undefined;
}

/** Returns the room ID for a room ID or alias. @throws MatrixError 400, 404 */
export async function resolveRoom(
  context: AliasContext,
  roomIdOrAlias: string,
  asker: string,
): Promise<string> {
  if (isRoomId(roomIdOrAlias)) return roomIdOrAlias;
  if (!isRoomAlias(roomIdOrAlias)) {
    throw new MatrixError(400, 'M_UNKNOWN', `${roomIdOrAlias} was not legal room ID or room alias`);
  }
  const roomId = await findAliasedRoom(context, roomIdOrAlias, asker);
  if (!roomId) throw notFound(`Room alias ${roomIdOrAlias} not found`);
  return roomId;
}

/** @throws MatrixError 400 */
export function requireAlias(text: string): void {
  if (!isRoomAlias(text)) throw invalidParameter('Room alias invalid');
}

const unknown = (status: number, sentence: string) => new MatrixError(status, 'M_UNKNOWN', sentence);

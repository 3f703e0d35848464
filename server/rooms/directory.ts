/** Aliases of rooms and the public directory: who may change them. */
import type { Transaction } from 'kysely';
import { forbidden, invalidParameter, MatrixError, notFound } from '../http/matrix-error.ts';
import type { Requester } from '../http/routes.ts';
import { findMembership } from '../storage/memberships.ts';
import * as aliases from '../storage/room-aliases.ts';
import { findState } from '../storage/room-state.ts';
import { lockRoom, setRoomPublic } from '../storage/rooms.ts';
import type { Database, Schema } from '../storage/schema.ts';
import { appendEvent, type RoomServices } from './append-events.ts';
import { mayCreateAlias, mayPublish } from './directory-rules.ts';
import { isRoomAlias, newRoomAlias, serverOf } from './identifiers.ts';
import { powerLevels } from './power-levels.ts';

/** @throws MatrixError 400 for what is no alias of this server or no room; 403; 409 where it is taken */
export async function createAlias(
  transaction: Transaction<Schema>,
  { config, clock }: RoomServices,
  { userId, admin }: Requester,
  text: string,
  roomId: string,
): Promise<void> {
  requireAlias(text);
  if (serverOf(text) !== config.serverName) throw unknown(400, 'Room alias must be local');
  const alias = newRoomAlias(text.slice(1, text.indexOf(':')), config.serverName);
  if (!(await lockRoom(transaction, roomId))) throw unknown(400, 'Room does not exist');
  if (!admin && (await findMembership(transaction, roomId, userId))?.membership !== 'join') {
    throw forbidden('You must be in the room to create an alias for it');
  }
  requireMayCreateAlias(config, userId, alias, roomId);
  const created = { alias, roomId, creator: userId, createdTs: clock.now() };
  if (!(await aliases.insertAlias(transaction, created))) {
    throw unknown(409, `Room alias ${alias} already exists`);
  }
}

/** @throws MatrixError 403 where `alias_creation_rules` forbid it */
export function requireMayCreateAlias(
  config: RoomServices['config'],
  userId: string,
  alias: string,
  roomId: string,
): void {
  if (!mayCreateAlias(config, userId, alias, roomId)) throw unknown(403, 'Not allowed to create alias');
}

/**
 * Deletes an alias; a room that calls itself by it no longer does.
 *
 * @throws MatrixError 404; 403 for whoever neither made it nor may name the room
 */
export async function deleteAlias(
  transaction: Transaction<Schema>,
  services: RoomServices,
  { userId, admin }: Requester,
  alias: string,
): Promise<void> {
  requireAlias(alias);
  const found = await aliases.findAlias(transaction, alias);
  if (!found) throw notFound('Unknown room alias');
  await lockRoom(transaction, found.roomId);
  if (!admin && found.creator !== userId && !(await mayNameRoom(transaction, found.roomId, userId))) {
    throw forbidden("You don't have permission to delete the alias.");
  }
  await aliases.deleteAlias(transaction, alias);
  // Whoever deletes the alias may lack the power to rename the room: then it keeps a name that leads nowhere.
  await forgetAlias(transaction, services, found.roomId, userId, alias).catch((error: unknown) => {
    if (!(error instanceof MatrixError)) throw error;
  });
}

async function forgetAlias(
  transaction: Transaction<Schema>,
  services: RoomServices,
  roomId: string,
  userId: string,
  deleted: string,
): Promise<void> {
  const [canonical] = await findState(transaction, roomId, [['m.room.canonical_alias', '']]);
  if (!canonical) return;
  const { alias, alt_aliases: others, ...rest } = canonical.pdu.content;
  const remaining = Array.isArray(others) ? others.filter((other) => other !== deleted) : [];
  const lost = alias === deleted || (Array.isArray(others) && remaining.length < others.length);
  if (!lost) return;
  await appendEvent(transaction, services, roomId, {
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

/**
 * Lists a room in the public directory, or takes it out of it.
 *
 * @throws MatrixError 400 for an unknown room; 403 for whoever may not name the room, or not publish it
 */
export async function setVisibility(
  transaction: Transaction<Schema>,
  { config }: RoomServices,
  { userId, admin }: Requester,
  roomId: string,
  isPublic: boolean,
): Promise<void> {
  const room = await lockRoom(transaction, roomId);
  if (!room) throw unknown(400, 'Unknown room');
  if (!admin && !(await mayNameRoom(transaction, roomId, userId))) {
    throw forbidden('This server requires you to be a moderator in the room to edit its room list entry');
  }
  const named = { roomId, aliases: await aliases.listAliases(transaction, roomId) };
  if (isPublic && !(await mayPublish(transaction, config, userId, named))) {
    throw unknown(403, 'Not allowed to publish room');
  }
  await setRoomPublic(transaction, room, isPublic);
}

/** Whether a user has the power to say what a room is called. @throws MatrixError 403 for who is not in it */
async function mayNameRoom(db: Database, roomId: string, userId: string): Promise<boolean> {
  if ((await findMembership(db, roomId, userId))?.membership !== 'join') {
    throw forbidden(`User ${userId} not in room ${roomId}`);
  }
  const state = await findState(db, roomId, [
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
  ]);
  const creator = state.find(({ pdu }) => pdu.type === 'm.room.create')?.pdu.sender ?? '';
  const content = state.find(({ pdu }) => pdu.type === 'm.room.power_levels')?.pdu.content;
  const levels = powerLevels(content, creator);
  return levels.ofUser(userId) >= levels.toSend('m.room.canonical_alias', true);
}

/** @throws MatrixError 400 */
export function requireAlias(text: string): void {
  if (!isRoomAlias(text)) throw invalidParameter('Room alias invalid');
}

const unknown = (status: number, sentence: string) => new MatrixError(status, 'M_UNKNOWN', sentence);

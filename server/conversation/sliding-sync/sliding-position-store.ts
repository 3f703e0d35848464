/** Positions of sliding sync connections, stored so that they survive a restart. */
import type { Kysely } from 'kysely';
import { readJson } from '../../../shared/read-json.ts';
import { builtOnce } from '../../platform/database/query/built-once.ts';
import type { Database, Schema } from '../../platform/database/schema.ts';
import { inTransaction, type Tx } from '../../platform/database/transaction.ts';

export type PositionContext = { db: Kysely<Schema> };

export type Connection = { userId: string; deviceId: string; connectionId: string };

/** The part of a room that a client has received. */
type SentRoom = {
  /** Stream position up to which the client has events; undefined for the connection's position. */
  upTo?: number;
  timelineLimit: number;
  /** Index in `requiredStates`. */
  state: number;
};

export type SentRooms = {
  rooms: Record<string, SentRoom>;
  /** Shared by rooms with the same required state. */
  requiredStates: (readonly (readonly [string, string])[])[];
};

export async function findPosition(
  db: Database,
  { userId, deviceId, connectionId }: Connection,
  position: number,
): Promise<SentRooms | undefined> {
  const { rows } = await selectPosition(db, { userId, deviceId, connectionId, position });
  return rows[0] && (readJson(rows[0].state) as SentRooms);
}

const selectPosition = builtOnce(
  (db, { userId, deviceId, connectionId, position }: Connection & { position: number }) =>
    db
      .selectFrom('sliding_positions')
      .select('state')
      .where('position', '=', position)
      .where('user_id', '=', userId)
      .where('device_id', '=', deviceId)
      .where('connection_id', '=', connectionId),
);

/** Per device; the least recently used ones are deleted. */
const maximumConnections = 10;

/** Saves a new position and deletes all others but the previous one, which is needed if the response gets lost. */
export async function keepPosition(
  { db }: PositionContext,
  connection: Connection,
  next: NextPosition,
): Promise<number> {
  return inTransaction(db, (tx) => replacePosition(tx, connection, next));
}

type NextPosition = { from: number | undefined; sent: SentRooms; now: number };

async function replacePosition(
  tx: Tx,
  { userId, deviceId, connectionId }: Connection,
  { from, sent, now }: NextPosition,
): Promise<number> {
  const { position } = await tx
    .insertInto('sliding_positions')
    .values({
      user_id: userId,
      device_id: deviceId,
      connection_id: connectionId,
      state: JSON.stringify(sent),
      used_ts: now,
    })
    .returning('position')
    .executeTakeFirstOrThrow();
  await tx
    .deleteFrom('sliding_positions')
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .where('connection_id', '=', connectionId)
    .where('position', 'not in', [position, from ?? position])
    .execute();
  const newest = await tx
    .selectFrom('sliding_positions')
    .select(({ fn }) => ['connection_id', fn.max('position').as('position')])
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .groupBy('connection_id')
    .orderBy('position', 'desc')
    .offset(maximumConnections)
    .limit(maximumConnections)
    .execute();
  for (const { connection_id } of newest) {
    await tx
      .deleteFrom('sliding_positions')
      .where('user_id', '=', userId)
      .where('device_id', '=', deviceId)
      .where('connection_id', '=', connection_id)
      .execute();
  }
  return position;
}

/** Deletes the positions of deleted devices. */
export async function deletePositionsOfGoneDevices(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom('sliding_positions')
    .where('user_id', '=', userId)
    .where('device_id', 'not in', tx.selectFrom('devices').select('device_id').where('user_id', '=', userId))
    .execute();
}

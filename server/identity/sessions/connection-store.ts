/** IP addresses and user agents of users. */
import type { Database } from '../../platform/database/schema.ts';
import type { Tx } from '../../platform/database/transaction.ts';

export type Connection = { ip: string; userAgent: string; lastSeenTs: number };
export type NewConnection = Connection & { userId: string; deviceId: string | null };

/** Per user: a client can send any number of user agents. */
const maximumConnections = 50;
/** In milliseconds. */
const retention = 28 * 24 * 60 * 60 * 1000;

export async function insertConnections(tx: Tx, connections: NewConnection[]): Promise<void> {
  // Users are locked in the order of their IDs.
  const inOrder = connections.toSorted((a, b) => Number(a.userId > b.userId) - Number(a.userId < b.userId));
  const known: NewConnection[] = [];
  for (const connection of inOrder) if (await setLastSeen(tx, connection)) known.push(connection);
  for (const connection of known) {
    await setDeviceSeen(tx, connection);
    await insertConnection(tx, connection);
  }
}

/** Returns false if the user doesn't exist. */
async function setLastSeen(tx: Tx, { userId, lastSeenTs }: NewConnection): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ last_seen_ts: lastSeenTs })
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function setDeviceSeen(tx: Tx, { userId, deviceId, ip, lastSeenTs }: NewConnection): Promise<void> {
  if (deviceId === null) return;
  await tx
    .updateTable('devices')
    .set({ last_seen_ts: lastSeenTs, last_seen_ip: ip })
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .execute();
}

async function insertConnection(tx: Tx, { userId, ip, userAgent, lastSeenTs }: NewConnection): Promise<void> {
  await tx
    .insertInto('user_connections')
    .values({ user_id: userId, ip, user_agent: userAgent, last_seen_ts: lastSeenTs })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'ip', 'user_agent']).doUpdateSet({ last_seen_ts: lastSeenTs }),
    )
    .execute();
  await deleteOldConnections(tx, userId, lastSeenTs);
}

async function deleteOldConnections(tx: Tx, userId: string, now: number): Promise<void> {
  const oldest = await tx
    .selectFrom('user_connections')
    .select('last_seen_ts')
    .where('user_id', '=', userId)
    .orderBy('last_seen_ts', 'desc')
    .offset(maximumConnections)
    .limit(1)
    .executeTakeFirst();
  await tx
    .deleteFrom('user_connections')
    .where('user_id', '=', userId)
    .where('last_seen_ts', '<=', Math.max(now - retention, oldest?.last_seen_ts ?? 0))
    .execute();
}

export async function listConnections(db: Database, userId: string): Promise<Connection[]> {
  const rows = await db
    .selectFrom('user_connections')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('last_seen_ts', 'desc')
    .execute();
  return rows.map((row) => ({ ip: row.ip, userAgent: row.user_agent, lastSeenTs: row.last_seen_ts }));
}

/** From where users were last seen. */
import type { Database } from '../database/schema.ts';

export type Connection = { ip: string; userAgent: string; lastSeenTs: number };

/** A client may call itself anything, as often as it likes: only so many names are kept of one user. */
const maximumConnections = 50;
/** How long a connection is remembered, in milliseconds. */
const retention = 28 * 24 * 60 * 60 * 1000;

/** Notes that a user was seen. Call it in a transaction. */
export async function noteConnection(
  db: Database,
  { userId, deviceId }: { userId: string; deviceId: string | null },
  { ip, userAgent, lastSeenTs }: Connection,
): Promise<void> {
  await db.updateTable('users').set({ last_seen_ts: lastSeenTs }).where('user_id', '=', userId).execute();
  if (deviceId !== null) {
    await db
      .updateTable('devices')
      .set({ last_seen_ts: lastSeenTs, last_seen_ip: ip })
      .where('user_id', '=', userId)
      .where('device_id', '=', deviceId)
      .execute();
  }
  await db
    .insertInto('user_connections')
    .values({ user_id: userId, ip, user_agent: userAgent, last_seen_ts: lastSeenTs })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'ip', 'user_agent']).doUpdateSet({ last_seen_ts: lastSeenTs }),
    )
    .execute();
  await forgetOldConnections(db, userId, lastSeenTs);
}

async function forgetOldConnections(db: Database, userId: string, now: number): Promise<void> {
  const oldest = await db
    .selectFrom('user_connections')
    .select('last_seen_ts')
    .where('user_id', '=', userId)
    .orderBy('last_seen_ts', 'desc')
    .offset(maximumConnections)
    .limit(1)
    .executeTakeFirst();
  await db
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

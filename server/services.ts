/** Everything that routes and domain functions work with; opened once for a server. */
import type { Kysely } from 'kysely';
import { createInteractiveSessions, type InteractiveSessions } from './auth/interactive.ts';
import { createJwtVerifier, type JwtVerifier } from './auth/jwt.ts';
import { createNonces, type Nonces } from './auth/shared-secret-registration.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Config } from './config/config.ts';
import { loadSigningKey, type SigningKey } from './rooms/signing-key.ts';
import { openDatabase } from './storage/database.ts';
import { migrate } from './storage/migrate.ts';
import type { Schema } from './storage/schema.ts';
import { checkServerName } from './storage/server-facts.ts';
import { purgeHistory } from './tasks/purge-history.ts';
import { createScheduler, type Scheduler } from './tasks/scheduler.ts';
import { shutdownAndPurgeRoom } from './tasks/shutdown-and-purge-room.ts';
import type { TaskAction } from './tasks/task.ts';

export type Services = {
  config: Config;
  clock: Clock;
  db: Kysely<Schema>;
  signingKey: SigningKey;
  /** Undefined where JWT login is off. */
  jwtVerifier: JwtVerifier | undefined;
  nonces: Nonces;
  interactiveSessions: InteractiveSessions;
  tasks: Scheduler;
};

/**
 * Opens the database, brings it up to date and loads the keys. Several processes may have the same data
 * open; only the one that serves runs tasks.
 */
export async function openServices(config: Config, clock: Clock = systemClock): Promise<Services> {
  const jwtVerifier = config.jwt && createJwtVerifier(config.jwt, clock);
  const db = await openDatabase(config.database);
  try {
    await migrate(db);
    await checkServerName(db, config.serverName);
    const signingKey = await loadSigningKey(config.signingKeyPath);
    const domain = { config, clock, db, signingKey };
    const actions = new Map<string, TaskAction>([
      ['purge_history', purgeHistory(domain)],
      ['shutdown_and_purge_room', shutdownAndPurgeRoom(domain)],
    ]);
    return {
      ...domain,
      jwtVerifier,
      nonces: createNonces(clock),
      interactiveSessions: createInteractiveSessions(clock),
      tasks: createScheduler(db, clock, actions),
    };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

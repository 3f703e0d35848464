/** Everything that routes and domain functions work with; opened once for a server. */
import type { Kysely } from 'kysely';
import { type AppServices, createAppServices } from './auth/app-services.ts';
import { createExternalAuthentication, type ExternalAuthentication } from './auth/external-authentication.ts';
import { createInteractiveSessions, type InteractiveSessions } from './auth/interactive.ts';
import type { JwtVerifier } from './auth/jwt.ts';
import { createNonces, type Nonces } from './auth/shared-secret-registration.ts';
import { populateRoomSummaries } from './background-updates/populate-room-summaries.ts';
import { type BackgroundUpdates, createBackgroundUpdates } from './background-updates/runner.ts';
import { createCache } from './cache.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Config, JwtConfig } from './config/config.ts';
import { createRateLimiters, type RateLimiters } from './http/rate-limiter.ts';
import { createThumbnails, type Thumbnails } from './media/thumbnails.ts';
import type { StateEventCache } from './rooms/open-room.ts';
import { loadSigningKey, type SigningKey } from './rooms/signing-key.ts';
import { openDatabase } from './storage/database.ts';
import { migrate } from './storage/migrate.ts';
import type { Schema } from './storage/schema.ts';
import { checkServerName } from './storage/server-facts.ts';
import { leaveAllRooms, leaveAllRoomsAction } from './tasks/leave-all-rooms.ts';
import { purgeHistory } from './tasks/purge-history.ts';
import { redactAllEvents, redactAllEventsAction } from './tasks/redact-all-events.ts';
import { createScheduler, type Scheduler } from './tasks/scheduler.ts';
import { shutdownAndPurgeRoom } from './tasks/shutdown-and-purge-room.ts';
import type { TaskAction } from './tasks/task.ts';
import { updateJoinStates } from './tasks/update-join-states.ts';

/** Enough for the rules of some thousand rooms that are talked in. */
const stateEventCacheSize = 10_000;

export type Services = {
  config: Config;
  clock: Clock;
  db: Kysely<Schema>;
  signingKey: SigningKey;
  stateEventCache: StateEventCache;
  /** Undefined where JWT login is off. */
  jwtVerifier: JwtVerifier | undefined;
  appServices: AppServices;
  /** Undefined where access tokens come from this server itself. */
  externalAuthentication: ExternalAuthentication | undefined;
  rateLimiters: RateLimiters;
  nonces: Nonces;
  interactiveSessions: InteractiveSessions;
  tasks: Scheduler;
  backgroundUpdates: BackgroundUpdates;
  thumbnails: Thumbnails;
};

/**
 * Opens the database, brings it up to date and loads the keys. Several processes may have the same data
 * open; only the one that serves runs tasks.
 */
export async function openServices(config: Config, clock: Clock = systemClock): Promise<Services> {
  const jwtVerifier = config.jwt && (await loadJwtVerifier(config.jwt, clock));
  const db = await openDatabase(config.database);
  try {
    await migrate(db);
    await checkServerName(db, config.serverName);
    const signingKey = await loadSigningKey(config.signingKeyPath);
    const stateEventCache: StateEventCache = createCache(stateEventCacheSize, config.caches, clock);
    const domain = { config, clock, db, signingKey, stateEventCache };
    const actions = new Map<string, TaskAction>([
      ['purge_history', purgeHistory(domain)],
      ['shutdown_and_purge_room', shutdownAndPurgeRoom(domain)],
      [redactAllEventsAction, redactAllEvents(domain)],
      [leaveAllRoomsAction, leaveAllRooms(domain)],
      ['update_join_states', updateJoinStates(domain)],
    ]);
    return {
      ...domain,
      jwtVerifier,
      appServices: createAppServices(config.appServices, config.serverName),
      externalAuthentication:
        config.externalAuthentication && createExternalAuthentication(domain, config.externalAuthentication),
      rateLimiters: createRateLimiters(config.rateLimits, clock),
      nonces: createNonces(clock),
      interactiveSessions: createInteractiveSessions(clock),
      tasks: createScheduler(db, clock, actions),
      backgroundUpdates: createBackgroundUpdates(
        db,
        clock,
        new Map([['populate_room_summaries', populateRoomSummaries]]),
      ),
      thumbnails: createThumbnails(db, config, clock),
    };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Loads what checks tokens only where they are taken: most servers start without it. */
async function loadJwtVerifier(config: JwtConfig, clock: Clock): Promise<JwtVerifier> {
  const { createJwtVerifier } = await import('./auth/jwt.ts');
  return createJwtVerifier(config, clock);
}

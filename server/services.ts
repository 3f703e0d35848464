/** Everything that routes and domain functions work with; opened once for a process. */
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AccountDataContext } from './accounts/account-data.ts';
import type { AccountDataKey } from './accounts/account-data-store.ts';
import { type AppServices, createAppServices } from './accounts/app-services.ts';
import type { DeactivationContext } from './accounts/deactivation.ts';
import type { Endings } from './accounts/endings.ts';
import {
  createExternalAuthentication,
  type ExternalAuthentication,
} from './accounts/external-authentication.ts';
import {
  createInteractiveSessions,
  type InteractiveSessions,
} from './accounts/interactive-authentication.ts';
import type { JwtVerifier } from './accounts/jwt.ts';
import { createLastSeen, type LastSeen } from './accounts/last-seen.ts';
import type { ProfileContext } from './accounts/profile.ts';
import { createNonces, type Nonces } from './accounts/shared-secret-registration.ts';
import { createWrongTokens, type WrongTokens } from './accounts/wrong-tokens.ts';
import { backgroundUpdates, taskActions } from './background.ts';
import { createDatabaseClock, type DatabaseClock } from './cluster/database-clock.ts';
import type { Worker } from './cluster/worker.ts';
import type { Config } from './config/config.ts';
import type { JwtConfig } from './config/jwt.ts';
import { type Caches, createCaches } from './core/cache.ts';
import { type Clock, systemClock } from './core/clock.ts';
import { createLog, type Log } from './core/log.ts';
import { createNotifier, type Notifier } from './core/notifier.ts';
import { openDatabase } from './database/database.ts';
import { isPostgres } from './database/engine.ts';
import type { Schema } from './database/schema.ts';
import { checkServerName } from './database/server-facts.ts';
import type { Tx } from './database/transaction.ts';
import { endings } from './endings.ts';
import { requireSettled } from './host/settle-data.ts';
import { createRateLimiters, type RateLimiters } from './http/rate-limiter.ts';
import { bucketsInPostgres } from './http/token-bucket-store.ts';
import { bucketsInMemory } from './http/token-buckets.ts';
import { createMediaAccess, type MediaAccess } from './media/media-access.ts';
import { createThumbnails, type Thumbnails } from './media/thumbnails.ts';
import { createPreviews, type Previews } from './previews/preview.ts';
import { createAppServiceDelivery } from './push/app-service-delivery.ts';
import { createRoomAsking } from './push/ask-for-room.ts';
import { carryRules, noteIgnored } from './push/change-push-rules.ts';
import { createNotificationCounting, personalSize } from './push/count-notifications.ts';
import { purgeNotifications } from './push/notification-store.ts';
import { createPushDelivery } from './push/push-delivery.ts';
import { createPresence, type Presence } from './receipts/presence.ts';
import { createTyping, type Typing } from './receipts/typing.ts';
import { purgeEventReports } from './reports/event-report-store.ts';
import { purgeRoomReports } from './reports/room-report-store.ts';
import type { PurgePiece } from './room-administration/purge-store.ts';
import type { AliasContext } from './rooms/aliases.ts';
import type { CountNotifications } from './rooms/append-events.ts';
import type { CarryPushRules, Replacement } from './rooms/carry-over.ts';
import { scheduleLeavingAllRooms } from './rooms/leave-all-rooms-task.ts';
import { createRoomMemory, type RoomMemory } from './rooms/room-memory.ts';
import { loadSigningKey, type SigningKey, sharedSecret } from './rooms/signing-key.ts';
import { createUnansweredSends, type UnansweredSends } from './rooms/unanswered-sends.ts';
import { showProfile } from './rooms/update-join-states-task.ts';
import { createSearchIndex, type SearchIndex } from './search/index-events.ts';
import type { SentMembersCache } from './sync/lazy-members.ts';
import { createSettled, type Settled } from './sync/long-poll.ts';
import { createRecentEvents, type ReadRecentEvents } from './sync/recent-events.ts';
import type { BumpStamps } from './sync/sliding-list-store.ts';
import { createSyncReplies, type SyncReplies } from './sync/sync-replies.ts';
import type { EmptyInboxes } from './sync/sync-routes.ts';
import { createWaiting, membersSize, type Waiting } from './sync/waiting.ts';
import { type BackgroundUpdates, createBackgroundUpdates } from './tasks/background-updates.ts';
import { createScheduler, type Scheduler } from './tasks/scheduler.ts';

export type Services = {
  config: Config;
  clock: Clock;
  /** Where `clock` comes from. */
  databaseClock: DatabaseClock;
  log: Log;
  db: Kysely<Schema>;
  /** Wakes whoever waits for what is new, in every process. */
  notifier: Notifier;
  signingKey: SigningKey;
  caches: Caches;
  roomMemory: RoomMemory;
  countNotifications: CountNotifications;
  noteAccountData: AccountDataContext['noteAccountData'];
  carryPushRules: CarryPushRules;
  askForRoom: AliasContext['askForRoom'];
  /** Sends notifications to push gateways. */
  pushDelivery: Worker;
  /** Tells application services what happens. */
  appServiceDelivery: Worker;
  presence: Presence;
  typing: Typing;
  /** Undefined where JWT login is off. */
  jwtVerifier: JwtVerifier | undefined;
  appServices: AppServices;
  /** Undefined where access tokens come from this server itself. */
  externalAuthentication: ExternalAuthentication | undefined;
  wrongTokens: WrongTokens;
  rateLimiters: RateLimiters;
  nonces: Nonces;
  lastSeen: LastSeen;
  interactiveSessions: InteractiveSessions;
  tasks: Scheduler;
  backgroundUpdates: BackgroundUpdates;
  searchIndex: SearchIndex;
  thumbnails: Thumbnails;
  mediaAccess: MediaAccess;
  /** Of pages that people link to. */
  previews: Previews;
  unansweredSends: UnansweredSends;
  /** Who waits for something new. */
  waiting: Waiting;
  settled: Settled;
  readRecentEvents: ReadRecentEvents;
  syncReplies: SyncReplies;
  sentMembers: SentMembersCache;
  bumpStamps: BumpStamps;
  emptyInboxes: EmptyInboxes;
  /** Aborted when the server begins to stop. */
  stopping: AbortController;
  /** What features keep of a room, to go with it. */
  purges: readonly PurgePiece[];
  endings: Endings;
} & Pick<DeactivationContext, 'leaveRooms'> &
  Pick<ProfileContext, 'showProfile'>;

/**
 * Opens the database, brings it up to date and loads the keys. Several processes may have the same data
 * open; only those that serve run tasks.
 *
 * @param ownClock the machine's
 */
export async function openServices(
  config: Config,
  ownClock: Clock = systemClock,
  log: Log = createLog(config.log, ownClock),
): Promise<Services> {
  const databaseClock = createDatabaseClock(ownClock, log);
  const { clock } = databaseClock;
  const jwtVerifier = config.jwt && (await loadJwtVerifier(config.jwt, clock));
  // What is refused leaves nothing in the way of those who replace the data.
  await requireSettled(config.dataDir);
  const db = await openDatabase(config.database, log);
  try {
    // They may have begun since.
    await requireSettled(config.dataDir);
    await checkServerName(db, config.serverName);
    await databaseClock.follow(db);
    const signingKey = await loadSigningKey(config.signingKeyPath);
    // Where administrators of this kind of server know a name for what is kept, it has that one.
    const caches = createCaches(config.caches, clock);
    const { cache } = caches;
    // One process alone counts in its memory what several count together.
    const buckets = isPostgres(db) ? bucketsInPostgres(db, clock) : bucketsInMemory(clock);
    const rateLimiters = createRateLimiters(config.rateLimits, buckets);
    const roomMemory = createRoomMemory(caches);
    const purges = [purgeNotifications, purgeEventReports, purgeRoomReports];
    const processName = randomUUID();
    const notifier = createNotifier(processName);
    const countNotifications = createNotificationCounting(
      cache('getUsersInRoomWithProfiles', 1_000),
      cache('get_push_rules_for_user', 10_000, personalSize),
    );
    const domain = {
      ...{ config, clock, log, db, notifier, signingKey, roomMemory, purges, endings },
      countNotifications,
      appServices: await createAppServices(config.appServices, config.serverName),
      noteAccountData: async (tx: Tx, { userId, roomId, type }: AccountDataKey) => {
        if (type === 'm.ignored_user_list' && roomId === undefined) await noteIgnored(tx, userId);
      },
      carryPushRules: (tx: Tx, userId: string, replacement: Replacement) =>
        carryRules(tx, notifier, userId, replacement),
    };
    const stopping = new AbortController();
    const tasks = createScheduler(domain, taskActions(domain));
    return {
      ...domain,
      databaseClock,
      caches,
      pushDelivery: createPushDelivery(domain),
      appServiceDelivery: createAppServiceDelivery(domain),
      presence: createPresence(domain, config.presence, processName),
      typing: createTyping(domain),
      lastSeen: createLastSeen(domain, cache('client_ip_last_seen', 10_000)),
      jwtVerifier,
      externalAuthentication:
        config.externalAuthentication &&
        createExternalAuthentication(
          domain,
          config.externalAuthentication,
          cache('token_introspection', 10_000),
          cache('token_refusals', 10_000),
        ),
      wrongTokens: createWrongTokens(
        clock,
        rateLimiters.wrongTokens,
        cache('tokens_good_lately', 10_000),
        cache('networks_kept_away', 1_000),
      ),
      rateLimiters,
      nonces: createNonces(db, clock, sharedSecret(signingKey, 'registration nonces')),
      interactiveSessions: createInteractiveSessions(
        db,
        clock,
        sharedSecret(signingKey, 'interactive sessions'),
      ),
      tasks,
      leaveRooms: (tx, userId) => scheduleLeavingAllRooms(tasks, tx, userId),
      showProfile: (userId) => showProfile({ ...domain, tasks }, userId),
      backgroundUpdates: createBackgroundUpdates(domain, backgroundUpdates),
      searchIndex: createSearchIndex(domain),
      thumbnails: createThumbnails(db, config, clock, log),
      mediaAccess: createMediaAccess(domain),
      previews: createPreviews({ ...domain, stopping }),
      unansweredSends: createUnansweredSends(),
      waiting: createWaiting(domain, cache('members_to_wake', 200_000, membersSize)),
      settled: createSettled(db),
      syncReplies: createSyncReplies(),
      readRecentEvents: createRecentEvents(domain, cache('recent_events', 20)),
      sentMembers: cache('sync_members', 1_000),
      bumpStamps: cache('room_bump_stamps', 20_000),
      emptyInboxes: cache('empty_inboxes', 10_000),
      askForRoom: createRoomAsking({ ...domain, stopping }),
      stopping,
    };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Loads what checks tokens only where they are taken: most servers start without it. */
async function loadJwtVerifier(config: JwtConfig, clock: Clock): Promise<JwtVerifier> {
  const { createJwtVerifier } = await import('./accounts/jwt.ts');
  return createJwtVerifier(config, clock);
}

import { randomUUID } from 'node:crypto';
import { requireSettled } from '../administration/backup/pending-change.ts';
import { purgeHistory } from '../administration/room-administration/purge-history-task.ts';
import { redactAllEvents } from '../administration/room-administration/redact-all-events-task.ts';
import { createRoomDeletion } from '../administration/room-administration/room-deletion-task.ts';
import { createAppServiceDelivery } from '../conversation/application-services/app-service-delivery.ts';
import { createRoomQueries } from '../conversation/application-services/ask-for-room.ts';
import { deleteBackups } from '../conversation/encryption/key-backup-store.ts';
import { deleteTransactionsOfGoneDevices } from '../conversation/encryption/to-device-store.ts';
import { forgetRules, updateIgnored } from '../conversation/notifications/change-push-rules.ts';
import {
  createNotificationMemory,
  type NotificationMemory,
} from '../conversation/notifications/count-notifications.ts';
import { createPushDelivery } from '../conversation/notifications/push-delivery.ts';
import { deletePushers, deletePushersOfGoneDevices } from '../conversation/notifications/pusher-store.ts';
import { createPresence, type Presence } from '../conversation/presence/presence.ts';
import { endPresence } from '../conversation/presence/presence-store.ts';
import { deletePrivateReceipts } from '../conversation/receipts/receipt-store.ts';
import type { RoomContext } from '../conversation/rooms/events/append-events.ts';
import { createRoomMemory, type RoomMemory } from '../conversation/rooms/events/open-room.ts';
import {
  createUnansweredSends,
  type UnansweredSends,
} from '../conversation/rooms/events/restricted-senders.ts';
import {
  leaveAllRooms,
  scheduleLeavingAllRooms,
} from '../conversation/rooms/membership/leave-all-rooms-task.ts';
import { showProfile, updateJoinStates } from '../conversation/rooms/membership/update-join-states-task.ts';
import { populateRelations } from '../conversation/rooms/relations/relations.ts';
import { populateRoomSummaries } from '../conversation/rooms/room-summary.ts';
import { loadSigningKey, type SigningKey, sharedSecret } from '../conversation/rooms/signing-key.ts';
import { createSearchIndex, populateSearch, type SearchIndex } from '../conversation/search/index-events.ts';
import type { BumpStamps } from '../conversation/sliding-sync/sliding-list-store.ts';
import { deletePositionsOfGoneDevices } from '../conversation/sliding-sync/sliding-position-store.ts';
import { deleteFilters } from '../conversation/sync/filter-store.ts';
import {
  createSettled,
  createSyncReplies,
  type Settled,
  type SyncReplies,
} from '../conversation/sync/long-poll.ts';
import { createRecentEvents, type ReadRecentEvents } from '../conversation/sync/recent-events.ts';
import type { SentMembersCache } from '../conversation/sync/room-state.ts';
import type { EmptyInboxes } from '../conversation/sync/sync-routes.ts';
import { createWaiting, membersSize, type Waiting } from '../conversation/sync/waiting.ts';
import { deleteThreadSubscriptions } from '../conversation/thread-subscriptions/thread-subscription-store.ts';
import { createTyping, type Typing } from '../conversation/typing/typing.ts';
import { type AppServices, createAppServices } from '../identity/accounts/app-services.ts';
import type { IdentityHooks } from '../identity/accounts/identity-hooks.ts';
import { populateUserWords } from '../identity/accounts/user-words-store.ts';
import {
  createExternalAuthentication,
  type ExternalAuthentication,
} from '../identity/login/external-authentication.ts';
import {
  createInteractiveSessions,
  type InteractiveSessions,
} from '../identity/login/interactive-authentication.ts';
import type { JwtVerifier } from '../identity/login/jwt.ts';
import { createMediaAccess, type MediaAccess } from '../identity/media/download.ts';
import { createThumbnails, type Thumbnails } from '../identity/media/thumbnails.ts';
import { createPreviews, type Previews } from '../identity/previews/preview.ts';
import { createNonces, type Nonces } from '../identity/registration/shared-secret-registration.ts';
import { createLastSeen, type LastSeen } from '../identity/sessions/last-seen.ts';
import { createWrongTokens, type WrongTokens } from '../identity/sessions/wrong-tokens.ts';
import { createDatabaseClock, type DatabaseClock } from '../platform/cluster/database-clock.ts';
import type { Worker } from '../platform/cluster/worker.ts';
import type { Limiter } from '../platform/concurrency/limiter.ts';
import { createNotifier, type Notifier } from '../platform/concurrency/notifier.ts';
import type { Config } from '../platform/config/config.ts';
import type { JwtConfig } from '../platform/config/jwt.ts';
import { type Caches, createCaches } from '../platform/core/cache.ts';
import { type Clock, systemClock } from '../platform/core/clock.ts';
import { createLog, type Log } from '../platform/core/log.ts';
import { openDatabase } from '../platform/database/database.ts';
import { isPostgres } from '../platform/database/engine.ts';
import type { Database } from '../platform/database/schema.ts';
import { checkServerName } from '../platform/database/server-facts.ts';
import { bucketsInMemory, createRateLimiters, type RateLimiters } from '../platform/http/rate-limiter.ts';
import { bucketsInPostgres } from '../platform/http/token-bucket-store.ts';
import {
  type BackgroundUpdate,
  type BackgroundUpdates,
  createBackgroundUpdates,
} from '../platform/tasks/background-updates.ts';
import { createScheduler, type Scheduler } from '../platform/tasks/scheduler.ts';

const taskActions = (context: RoomContext & { db: Database }) => [
  purgeHistory,
  createRoomDeletion(context),
  redactAllEvents(context),
  leaveAllRooms(context),
  updateJoinStates(context),
];

/** By name, as migrations start them. */
const backgroundUpdates: ReadonlyMap<string, BackgroundUpdate> = new Map([
  ['populate_room_summaries', populateRoomSummaries],
  ['populate_relations', populateRelations],
  ['populate_search', populateSearch],
  ['populate_user_words', populateUserWords],
]);

/** Dependencies of routes and domain functions, created once per process. */
export type Services = {
  config: Config;
  clock: Clock;
  /** The source of `clock`. */
  databaseClock: DatabaseClock;
  log: Log;
  db: Database;
  /** Wakes waiting requests and workers of all processes. */
  notifier: Notifier;
  signingKey: SigningKey;
  caches: Caches;
  roomMemory: RoomMemory;
  notificationMemory: NotificationMemory;
  roomQueries: Limiter;
  hooks: IdentityHooks;
  /** Sends notifications to push gateways. */
  pushDelivery: Worker;
  /** Sends events to application services. */
  appServiceDelivery: Worker;
  presence: Presence;
  typing: Typing;
  /** Undefined if JWT login is off. */
  jwtVerifier: JwtVerifier | undefined;
  appServices: AppServices;
  /** Undefined if this server issues its access tokens itself. */
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
  previews: Previews;
  unansweredSends: UnansweredSends;
  waiting: Waiting;
  settled: Settled;
  readRecentEvents: ReadRecentEvents;
  syncReplies: SyncReplies;
  sentMembers: SentMembersCache;
  bumpStamps: BumpStamps;
  emptyInboxes: EmptyInboxes;
  /** Aborted when the server begins to stop. */
  stopping: AbortController;
};

/**
 * Opens and migrates the database and loads the keys. Several processes may open the same data; only those that serve run
 * tasks.
 *
 * @param ownClock the system clock
 */
export async function openServices(
  config: Config,
  ownClock: Clock = systemClock,
  log: Log = createLog(config.log, ownClock),
): Promise<Services> {
  const databaseClock = createDatabaseClock(ownClock, log);
  const { clock } = databaseClock;
  const jwtVerifier = config.jwt && (await loadJwtVerifier(config.jwt, clock));
  // Before anything is opened that would block a process from replacing the data.
  requireSettled(config.dataDir);
  const db = await openDatabase(config.database, log);
  try {
    // It may have started in the meantime.
    requireSettled(config.dataDir);
    await checkServerName(db, config.serverName);
    await databaseClock.follow(db);
    const signingKey = await loadSigningKey(config.signingKeyPath);
    // Caches have the names of Synapse's where there is one.
    const caches = createCaches(config.caches, clock);
    const { cache } = caches;
    const buckets = isPostgres(db) ? bucketsInPostgres(db, clock) : bucketsInMemory(clock);
    const rateLimiters = createRateLimiters(config.rateLimits, buckets);
    const processName = randomUUID();
    const notifier = createNotifier(processName);
    const hooks: IdentityHooks = {
      async devicesDeleted(tx, userId) {
        await deleteTransactionsOfGoneDevices(tx, userId);
        await deletePushersOfGoneDevices(tx, userId);
        await deletePositionsOfGoneDevices(tx, userId);
      },
      // Content that others have seen stays: messages, public receipts, uploads, reports, public keys. So do IP
      // addresses, for administrators.
      async accountDeactivated(tx, userId) {
        await deleteBackups(tx, userId);
        await deletePushers(tx, userId);
        await forgetRules(tx, userId);
        await deletePrivateReceipts(tx, userId);
        await deleteThreadSubscriptions(tx, userId);
        await endPresence(tx, userId);
        await deleteFilters(tx, userId);
        await scheduleLeavingAllRooms(tasks, tx, userId);
      },
      async accountDataChanged(tx, { userId, roomId, type }) {
        if (type === 'm.ignored_user_list' && roomId === undefined) await updateIgnored(tx, userId);
      },
      profileChanged: (userId) => showProfile({ ...domain, tasks }, userId),
    };
    const domain = {
      ...{ config, clock, log, db, notifier, signingKey, hooks },
      roomMemory: createRoomMemory(caches),
      notificationMemory: createNotificationMemory(caches),
      appServices: await createAppServices(config.appServices, config.serverName),
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
      roomQueries: createRoomQueries(),
      stopping,
    };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Imported only if configured: most servers don't use JWT login. */
async function loadJwtVerifier(config: JwtConfig, clock: Clock): Promise<JwtVerifier> {
  const { createJwtVerifier } = await import('../identity/login/jwt.ts');
  return createJwtVerifier(config, clock);
}

/** Every migration, in the order in which they run. */
import type { Migration } from 'kysely/migration';
import * as accounts from './migrations/0001-accounts.ts';
import * as rooms from './migrations/0002-rooms.ts';
import * as eventReports from './migrations/0003-event-reports.ts';
import * as scheduledTasks from './migrations/0004-scheduled-tasks.ts';
import * as media from './migrations/0005-media.ts';
import * as accountAdministration from './migrations/0006-accounts.ts';
import * as mediaRepository from './migrations/0007-media-repository.ts';
import * as roomDirectory from './migrations/0008-room-directory.ts';
import * as roomEventsByTime from './migrations/0008-room-events-by-time.ts';
import * as roomListFilter from './migrations/0008-room-list-filter.ts';
import * as roomTraces from './migrations/0008-room-traces.ts';
import * as tasksQueue from './migrations/0009-tasks-queue.ts';
import * as tokenBuckets from './migrations/0009-token-buckets.ts';
import * as severalProcesses from './migrations/0010-several-processes.ts';
import * as reportLists from './migrations/0011-report-lists.ts';
import * as settledEvents from './migrations/0012-settled-events.ts';
import * as settledReports from './migrations/0014-settled-reports.ts';
import * as mediaUploaders from './migrations/0015-media-uploaders.ts';
import * as changes from './migrations/0016-changes.ts';
import * as sync from './migrations/0017-sync.ts';
import * as encryption from './migrations/0018-encryption.ts';
import * as receipts from './migrations/0020-receipts.ts';
import * as push from './migrations/0021-push.ts';
import * as profileFields from './migrations/0022-profile-fields.ts';
import * as refreshTokens from './migrations/0022-refresh-tokens.ts';
import * as relations from './migrations/0022-relations.ts';
import * as roomVersions from './migrations/0022-room-versions.ts';
import * as transactionsByType from './migrations/0022-transactions-by-type.ts';
import * as openIdTokens from './migrations/0023-openid-tokens.ts';
import * as search from './migrations/0023-search.ts';
import * as totalsInParts from './migrations/0024-totals-in-parts.ts';
import * as settledUserReports from './migrations/0025-settled-user-reports.ts';
import * as guests from './migrations/0026-guests.ts';
import * as registrationSessions from './migrations/0026-registration-sessions.ts';
import * as crossSigningReset from './migrations/0027-cross-signing-reset.ts';
import * as urlPreviews from './migrations/0027-url-previews.ts';
import * as redactedEvents from './migrations/0028-redacted-events.ts';
import * as userWords from './migrations/0029-user-words.ts';
import * as searchPrefixes from './migrations/0032-search-prefixes.ts';
import * as threadSubscriptions from './migrations/0033-thread-subscriptions.ts';
import * as pusherBadges from './migrations/0035-pusher-badges.ts';
import * as appServiceRooms from './migrations/0038-app-service-rooms.ts';
import * as reportPlaces from './migrations/0041-report-places.ts';
import * as reportEvents from './migrations/0042-report-events.ts';
import * as emptyReportTotals from './migrations/0043-empty-report-totals.ts';

export const migrations: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-rooms': rooms,
  '0003-event-reports': eventReports,
  '0004-scheduled-tasks': scheduledTasks,
  '0005-media': media,
  '0006-accounts': accountAdministration,
  '0007-media-repository': mediaRepository,
  '0008-room-directory': roomDirectory,
  '0008-room-events-by-time': roomEventsByTime,
  '0008-room-list-filter': roomListFilter,
  '0008-room-traces': roomTraces,
  '0009-tasks-queue': tasksQueue,
  '0009-token-buckets': tokenBuckets,
  '0010-several-processes': severalProcesses,
  '0011-report-lists': reportLists,
  '0012-settled-events': settledEvents,
  '0014-settled-reports': settledReports,
  '0015-media-uploaders': mediaUploaders,
  '0016-changes': changes,
  '0017-sync': sync,
  '0018-encryption': encryption,
  '0020-receipts': receipts,
  '0021-push': push,
  '0022-profile-fields': profileFields,
  '0022-refresh-tokens': refreshTokens,
  '0022-relations': relations,
  '0022-room-versions': roomVersions,
  '0022-transactions-by-type': transactionsByType,
  '0023-openid-tokens': openIdTokens,
  '0023-search': search,
  '0024-totals-in-parts': totalsInParts,
  '0025-settled-user-reports': settledUserReports,
  '0026-guests': guests,
  '0026-registration-sessions': registrationSessions,
  '0028-redacted-events': redactedEvents,
  '0029-user-words': userWords,
  '0027-cross-signing-reset': crossSigningReset,
  '0027-url-previews': urlPreviews,
  '0032-search-prefixes': searchPrefixes,
  '0033-thread-subscriptions': threadSubscriptions,
  '0035-pusher-badges': pusherBadges,
  '0038-app-service-rooms': appServiceRooms,
  '0041-report-places': reportPlaces,
  '0042-report-events': reportEvents,
  '0043-empty-report-totals': emptyReportTotals,
};

export const migrationNames = Object.keys(migrations);
export const newestMigration = migrationNames.at(-1) ?? '';

/** Which routes stand where. Interface: "Endpoints", "Versioning". */
import type { Dialect } from '../shared/dialect.ts';
import { authMetadataRoutes } from './about/auth-metadata-routes.ts';
import { capabilityRoutes } from './about/capability-routes.ts';
import { turnRoutes } from './about/turn-routes.ts';
import { federationVersionRoutes, serverVersionRoutes, versionsRoutes } from './about/version-routes.ts';
import { accountDataAdministrationRoutes } from './accounts/account-data-administration-routes.ts';
import { accountDataRoutes } from './accounts/account-data-routes.ts';
import { accountModerationRoutes } from './accounts/account-moderation-routes.ts';
import { accountRoutes } from './accounts/account-routes.ts';
import { deviceAdministrationRoutes } from './accounts/device-administration-routes.ts';
import { deviceRoutes } from './accounts/device-routes.ts';
import { loginRoutes, loginTokenRoutes } from './accounts/login-routes.ts';
import { openIdRoutes, openIdUserRoutes } from './accounts/openid-routes.ts';
import { profileRoutes } from './accounts/profile-routes.ts';
import {
  registrationRoutes,
  registrationTokenValidityRoutes,
  sharedSecretRegistrationRoutes,
  usernameAvailableRoutes,
} from './accounts/registration-routes.ts';
import { registrationTokenRoutes } from './accounts/registration-token-routes.ts';
import { threepidRoutes } from './accounts/threepid-routes.ts';
import { userRoutes } from './accounts/user-administration-routes.ts';
import { whoIsAdministrationRoutes, whoIsRoutes } from './accounts/whois-routes.ts';
import { crossSigningAdministrationRoutes, crossSigningRoutes } from './encryption/cross-signing-routes.ts';
import { dehydratedDeviceRoutes } from './encryption/dehydrated-device-routes.ts';
import { backedUpKeyRoutes, keyBackupRoutes } from './encryption/key-backup-routes.ts';
import { keyRoutes } from './encryption/key-routes.ts';
import { toDeviceRoutes } from './encryption/to-device-routes.ts';
import type { Mount, Routes } from './http/routes.ts';
import { legacyMediaRoutes, mediaRoutes } from './media/download-routes.ts';
import { mediaAdministrationRoutes } from './media/media-administration-routes.ts';
import { legacyMediaConfigRoutes, mediaConfigRoutes } from './media/media-config-routes.ts';
import { mediaStatisticsRoutes } from './media/media-statistics-routes.ts';
import { mediaQuarantineRoutes } from './media/quarantine-routes.ts';
import { pendingUploadRoutes, uploadCreationRoutes, uploadRoutes } from './media/upload-routes.ts';
import { userMediaRoutes } from './media/user-media-routes.ts';
import { legacyPreviewRoutes, previewRoutes } from './previews/preview-routes.ts';
import { appServicePingRoutes } from './push/app-service-ping-routes.ts';
import { notificationRoutes } from './push/notification-routes.ts';
import { pushRuleRoutes } from './push/push-rule-routes.ts';
import { pusherRoutes } from './push/pusher-routes.ts';
import { thirdPartyRoutes } from './push/third-party-routes.ts';
import { presenceRoutes } from './receipts/presence-routes.ts';
import { receiptRoutes } from './receipts/receipt-routes.ts';
import { threadSubscriptionRoutes } from './receipts/thread-subscription-routes.ts';
import { typingRoutes } from './receipts/typing-routes.ts';
import { eventReportRoutes, roomReportRoutes, userReportRoutes } from './reports/report-routes.ts';
import { eventReportingRoutes, roomAndUserReportingRoutes } from './reports/reporting-routes.ts';
import { membershipAdministrationRoutes } from './room-administration/membership-administration-routes.ts';
import { purgeHistoryRoutes } from './room-administration/purge-history-routes.ts';
import { roomBlockRoutes } from './room-administration/room-block-routes.ts';
import { roomContentsRoutes } from './room-administration/room-contents-routes.ts';
import { roomDeletionRoutes } from './room-administration/room-deletion-routes.ts';
import { roomListRoutes } from './room-administration/room-list-routes.ts';
import { userRedactionRoutes } from './room-administration/user-redaction-routes.ts';
import { userRoomRoutes } from './room-administration/user-room-routes.ts';
import { aliasRoutes } from './rooms/alias-routes.ts';
import { eventRoutes } from './rooms/event-routes.ts';
import { eventAtTimeRoutes, historyRoutes } from './rooms/history-routes.ts';
import { memberRoutes, mutualRoomRoutes } from './rooms/member-routes.ts';
import { membershipRoutes } from './rooms/membership-routes.ts';
import { publicRoomRoutes } from './rooms/public-room-routes.ts';
import { relationRoutes } from './rooms/relations/relation-routes.ts';
import { roomCreationRoutes } from './rooms/room-creation-routes.ts';
import { serverKeyRoutes } from './rooms/server-key-routes.ts';
import {
  hierarchyRoutes,
  roomSummaryRoutes,
  unstableRoomSummaryRoutes,
} from './rooms/spaces/space-routes.ts';
import { stateRoutes } from './rooms/state-routes.ts';
import { tagRoutes } from './rooms/tag-routes.ts';
import { searchRoutes } from './search/search-routes.ts';
import { userDirectoryRoutes } from './search/user-directory-routes.ts';
import type { Services } from './services.ts';
import { filterRoutes } from './sync/filter-routes.ts';
import { keyChangeRoutes } from './sync/key-change-routes.ts';
import { legacySyncRoutes } from './sync/legacy-sync-routes.ts';
import { slidingSyncRoutes } from './sync/sliding-sync-routes.ts';
import { syncRoutes } from './sync/sync-routes.ts';
import { backgroundUpdateRoutes } from './tasks/background-update-routes.ts';
import { scheduledTaskRoutes } from './tasks/scheduled-task-routes.ts';

export const mounts = (dialect: Dialect): Mount<Services>[] => [
  { prefix: `${dialect.administration}/admin`, routes: adminRoutes },
  { prefix: `${dialect.chat}/client/v3`, older: `${dialect.chat}/client/r0`, routes: clientRoutes },
  { prefix: `${dialect.chat}/client/v3`, routes: [roomAndUserReportingRoutes] },
  {
    prefix: `${dialect.chat}/client/v1`,
    routes: [
      accountModerationRoutes,
      appServicePingRoutes,
      authMetadataRoutes,
      mediaRoutes,
      mediaConfigRoutes,
      previewRoutes,
      loginTokenRoutes,
      registrationTokenValidityRoutes,
      eventAtTimeRoutes,
      relationRoutes,
      hierarchyRoutes,
      roomSummaryRoutes,
      mutualRoomRoutes,
    ],
  },
  {
    prefix: `${dialect.chat}/client/unstable`,
    routes: [
      ...encryptionRoutes,
      dehydratedDeviceRoutes,
      slidingSyncRoutes,
      threadSubscriptionRoutes,
      unstableRoomSummaryRoutes,
    ],
  },
  { prefix: `${dialect.chat}/client`, routes: [versionsRoutes] },
  {
    prefix: `${dialect.chat}/media/r0`,
    routes: [uploadRoutes, legacyMediaConfigRoutes, legacyMediaRoutes, legacyPreviewRoutes],
  },
  {
    prefix: `${dialect.chat}/media/v1`,
    routes: [
      uploadRoutes,
      legacyMediaConfigRoutes,
      legacyMediaRoutes,
      legacyPreviewRoutes,
      uploadCreationRoutes,
    ],
  },
  {
    prefix: `${dialect.chat}/media/v3`,
    routes: [
      uploadRoutes,
      legacyMediaConfigRoutes,
      legacyMediaRoutes,
      legacyPreviewRoutes,
      pendingUploadRoutes,
    ],
  },
  { prefix: `${dialect.chat}/key`, routes: [serverKeyRoutes] },
  { prefix: `${dialect.chat}/federation`, routes: [federationVersionRoutes, openIdUserRoutes] },
];

const adminRoutes: Routes<Services>[] = [
  eventReportRoutes,
  scheduledTaskRoutes,
  serverVersionRoutes,
  sharedSecretRegistrationRoutes,
  purgeHistoryRoutes,
  roomDeletionRoutes,
  roomListRoutes,
  roomContentsRoutes,
  roomBlockRoutes,
  membershipAdministrationRoutes,
  userReportRoutes,
  roomReportRoutes,
  backgroundUpdateRoutes,
  usernameAvailableRoutes,
  mediaAdministrationRoutes,
  mediaQuarantineRoutes,
  mediaStatisticsRoutes,
  userMediaRoutes,
  userRoutes,
  whoIsAdministrationRoutes,
  deviceAdministrationRoutes,
  accountDataAdministrationRoutes,
  userRoomRoutes,
  userRedactionRoutes,
  crossSigningAdministrationRoutes,
  registrationTokenRoutes,
];

/** Older clients ask for these where they stood while they were being agreed on, too. */
const encryptionRoutes: Routes<Services>[] = [
  keyRoutes,
  keyChangeRoutes,
  crossSigningRoutes,
  toDeviceRoutes,
  keyBackupRoutes,
  backedUpKeyRoutes,
];

const clientRoutes: Routes<Services>[] = [
  filterRoutes,
  syncRoutes,
  legacySyncRoutes,
  loginRoutes,
  registrationRoutes,
  accountRoutes,
  whoIsRoutes,
  deviceRoutes,
  roomCreationRoutes,
  membershipRoutes,
  memberRoutes,
  stateRoutes,
  eventRoutes,
  historyRoutes,
  eventReportingRoutes,
  profileRoutes,
  capabilityRoutes,
  accountDataRoutes,
  tagRoutes,
  ...encryptionRoutes,
  receiptRoutes,
  typingRoutes,
  presenceRoutes,
  pushRuleRoutes,
  pusherRoutes,
  notificationRoutes,
  thirdPartyRoutes,
  turnRoutes,
  threepidRoutes,
  aliasRoutes,
  publicRoomRoutes,
  searchRoutes,
  userDirectoryRoutes,
  openIdRoutes,
];

/** Routes by path prefix. */
import type { Dialect } from '../../shared/dialect.ts';
import { authMetadataRoutes, serverKeyRoutes, turnRoutes } from '../administration/about/discovery-routes.ts';
import {
  capabilityRoutes,
  federationVersionRoutes,
  serverVersionRoutes,
  versionsRoutes,
} from '../administration/about/version-routes.ts';
import {
  eventReportingRoutes,
  eventReportRoutes,
  roomAndUserReportingRoutes,
  roomReportRoutes,
  userReportRoutes,
} from '../administration/reports/report-routes.ts';
import { membershipAdministrationRoutes } from '../administration/room-administration/membership-administration-routes.ts';
import { purgeHistoryRoutes } from '../administration/room-administration/purge-history-routes.ts';
import { roomContentsRoutes } from '../administration/room-administration/room-contents-routes.ts';
import {
  roomBlockRoutes,
  roomDeletionRoutes,
} from '../administration/room-administration/room-deletion-routes.ts';
import { roomListRoutes, userRoomRoutes } from '../administration/room-administration/room-list-routes.ts';
import { userRedactionRoutes } from '../administration/room-administration/user-redaction-routes.ts';
import {
  appServicePingRoutes,
  thirdPartyRoutes,
} from '../conversation/application-services/app-service-routes.ts';
import {
  crossSigningAdministrationRoutes,
  crossSigningRoutes,
} from '../conversation/encryption/cross-signing-routes.ts';
import { dehydratedDeviceRoutes } from '../conversation/encryption/dehydrated-device-routes.ts';
import { keyRoutes, toDeviceRoutes } from '../conversation/encryption/encryption-routes.ts';
import { backedUpKeyRoutes, keyBackupRoutes } from '../conversation/encryption/key-backup-routes.ts';
import { notificationRoutes, pusherRoutes } from '../conversation/notifications/notification-routes.ts';
import { pushRuleRoutes } from '../conversation/notifications/push-rule-routes.ts';
import { presenceRoutes, receiptRoutes, typingRoutes } from '../conversation/presence/presence-routes.ts';
import { roomCreationRoutes } from '../conversation/rooms/creation/room-creation-routes.ts';
import { aliasRoutes } from '../conversation/rooms/directory/alias-routes.ts';
import { publicRoomRoutes } from '../conversation/rooms/directory/public-room-routes.ts';
import { eventRoutes } from '../conversation/rooms/events/event-routes.ts';
import { eventAtTimeRoutes, historyRoutes } from '../conversation/rooms/events/history-routes.ts';
import { memberRoutes, mutualRoomRoutes } from '../conversation/rooms/membership/member-routes.ts';
import { membershipRoutes } from '../conversation/rooms/membership/membership-routes.ts';
import { relationRoutes } from '../conversation/rooms/relations/relation-routes.ts';
import {
  hierarchyRoutes,
  roomSummaryRoutes,
  unstableRoomSummaryRoutes,
} from '../conversation/rooms/spaces/space-routes.ts';
import { stateRoutes } from '../conversation/rooms/state/state-routes.ts';
import { tagRoutes } from '../conversation/rooms/tag-routes.ts';
import { searchRoutes, userDirectoryRoutes } from '../conversation/search/search-routes.ts';
import { slidingSyncRoutes } from '../conversation/sliding-sync/sliding-sync-routes.ts';
import { filterRoutes } from '../conversation/sync/filter-routes.ts';
import { legacySyncRoutes } from '../conversation/sync/legacy-sync-routes.ts';
import { keyChangeRoutes, syncRoutes } from '../conversation/sync/sync-routes.ts';
import { threadSubscriptionRoutes } from '../conversation/thread-subscriptions/thread-subscription-routes.ts';
import {
  accountDataAdministrationRoutes,
  accountDataRoutes,
} from '../identity/account-data/account-data-routes.ts';
import {
  accountRoutes,
  openIdRoutes,
  openIdUserRoutes,
  threepidRoutes,
} from '../identity/accounts/account-routes.ts';
import {
  accountModerationRoutes,
  userAdministrationRoutes,
} from '../identity/accounts/user-administration-routes.ts';
import { loginRoutes, loginTokenRoutes } from '../identity/login/login-routes.ts';
import { legacyMediaRoutes, mediaRoutes } from '../identity/media/download-routes.ts';
import { mediaAdministrationRoutes } from '../identity/media/media-administration-routes.ts';
import { mediaQuarantineRoutes } from '../identity/media/quarantine-routes.ts';
import {
  legacyMediaConfigRoutes,
  mediaConfigRoutes,
  pendingUploadRoutes,
  uploadCreationRoutes,
  uploadRoutes,
} from '../identity/media/upload-routes.ts';
import { legacyPreviewRoutes, previewRoutes } from '../identity/previews/preview-routes.ts';
import { profileRoutes } from '../identity/profiles/profile-routes.ts';
import {
  registrationRoutes,
  registrationTokenValidityRoutes,
  sharedSecretRegistrationRoutes,
  usernameAvailableRoutes,
} from '../identity/registration/registration-routes.ts';
import { registrationTokenRoutes } from '../identity/registration/registration-token-routes.ts';
import { deviceAdministrationRoutes, deviceRoutes } from '../identity/sessions/device-routes.ts';
import { whoIsAdministrationRoutes, whoIsRoutes } from '../identity/sessions/whois-routes.ts';
import type { Mount, Routes } from '../platform/http/routes.ts';
import { backgroundUpdateRoutes, scheduledTaskRoutes } from '../platform/tasks/task-routes.ts';
import type { Services } from './services.ts';

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
  userAdministrationRoutes,
  whoIsAdministrationRoutes,
  deviceAdministrationRoutes,
  accountDataAdministrationRoutes,
  userRoomRoutes,
  userRedactionRoutes,
  crossSigningAdministrationRoutes,
  registrationTokenRoutes,
];

/** Also under their unstable prefix, for older clients. */
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

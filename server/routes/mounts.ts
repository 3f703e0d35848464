/** Which routes stand where. Interface: "Endpoints", "Versioning". */
import type { Dialect } from '../../shared/dialect.ts';
import type { Routes } from '../http/routes.ts';
import { backgroundUpdateRoutes } from './admin/background-updates.ts';
import { eventReportRoutes } from './admin/event-reports.ts';
import { mediaAdministrationRoutes } from './admin/media.ts';
import { mediaQuarantineRoutes } from './admin/media-quarantine.ts';
import { mediaStatisticsRoutes } from './admin/media-statistics.ts';
import { purgeHistoryRoutes } from './admin/purge-history.ts';
import { sharedSecretRegistrationRoutes } from './admin/register.ts';
import { registrationTokenRoutes } from './admin/registration-tokens.ts';
import { roomContentRoutes } from './admin/room-contents.ts';
import { roomControlRoutes } from './admin/room-control.ts';
import { roomListRoutes } from './admin/room-list.ts';
import { roomRoutes } from './admin/rooms.ts';
import { scheduledTaskRoutes } from './admin/scheduled-tasks.ts';
import { serverVersionRoutes } from './admin/server-version.ts';
import { userMediaRoutes } from './admin/user-media.ts';
import { userRedactionRoutes } from './admin/user-redaction.ts';
import { userReportRoutes } from './admin/user-reports.ts';
import { usernameAvailableRoutes } from './admin/username-available.ts';
import { userRoutes } from './admin/users.ts';
import { accountRoutes } from './client/account.ts';
import { accountDataRoutes } from './client/account-data.ts';
import { capabilityRoutes } from './client/capabilities.ts';
import { complaintRoutes } from './client/complaints.ts';
import { deviceRoutes } from './client/devices.ts';
import { directoryRoutes } from './client/directory.ts';
import { eventAtTimeRoutes } from './client/event-at-time.ts';
import { eventRoutes } from './client/events.ts';
import { loginRoutes, loginTokenRoutes } from './client/login.ts';
import { legacyMediaRoutes, mediaRoutes } from './client/media.ts';
import { pendingUploadRoutes, uploadCreationRoutes, uploadRoutes } from './client/media-upload.ts';
import { memberRoutes } from './client/members.ts';
import { membershipRoutes } from './client/membership.ts';
import { profileRoutes } from './client/profile.ts';
import { publicRoomRoutes } from './client/public-rooms.ts';
import { registrationRoutes, registrationTokenValidityRoutes } from './client/register.ts';
import { reportRoutes } from './client/report.ts';
import { roomCreationRoutes } from './client/room-creation.ts';
import { stateRoutes } from './client/state.ts';
import { versionsRoutes } from './client/versions.ts';
import { serverKeyRoutes } from './federation/keys.ts';
import { federationVersionRoutes } from './federation/version.ts';

export type Mount = {
  prefix: string;
  routes: Routes[];
  /** Whether only server administrators may call them. */
  administrators?: boolean;
};

export const mounts = (dialect: Dialect): Mount[] => [
  { prefix: `${dialect.administration}/admin`, routes: adminRoutes, administrators: true },
  { prefix: `${dialect.chat}/client/r0`, routes: clientRoutes },
  { prefix: `${dialect.chat}/client/v3`, routes: [...clientRoutes, complaintRoutes] },
  {
    prefix: `${dialect.chat}/client/v1`,
    routes: [mediaRoutes, loginTokenRoutes, registrationTokenValidityRoutes, eventAtTimeRoutes],
  },
  { prefix: `${dialect.chat}/client`, routes: [versionsRoutes] },
  { prefix: `${dialect.chat}/media/r0`, routes: [uploadRoutes, legacyMediaRoutes] },
  { prefix: `${dialect.chat}/media/v1`, routes: [uploadRoutes, legacyMediaRoutes, uploadCreationRoutes] },
  { prefix: `${dialect.chat}/media/v3`, routes: [uploadRoutes, legacyMediaRoutes, pendingUploadRoutes] },
  { prefix: `${dialect.chat}/key`, routes: [serverKeyRoutes] },
  { prefix: `${dialect.chat}/federation`, routes: [federationVersionRoutes] },
];

const adminRoutes: Routes[] = [
  eventReportRoutes,
  scheduledTaskRoutes,
  serverVersionRoutes,
  sharedSecretRegistrationRoutes,
  purgeHistoryRoutes,
  roomRoutes,
  roomListRoutes,
  roomContentRoutes,
  roomControlRoutes,
  userReportRoutes,
  backgroundUpdateRoutes,
  usernameAvailableRoutes,
  mediaAdministrationRoutes,
  mediaQuarantineRoutes,
  mediaStatisticsRoutes,
  userMediaRoutes,
  userRoutes,
  userRedactionRoutes,
  registrationTokenRoutes,
];

const clientRoutes: Routes[] = [
  loginRoutes,
  registrationRoutes,
  accountRoutes,
  deviceRoutes,
  roomCreationRoutes,
  membershipRoutes,
  memberRoutes,
  stateRoutes,
  eventRoutes,
  reportRoutes,
  profileRoutes,
  capabilityRoutes,
  accountDataRoutes,
  directoryRoutes,
  publicRoomRoutes,
];

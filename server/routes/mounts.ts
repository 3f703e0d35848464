/** Which routes stand where. Interface: "Endpoints", "Versioning". */
import type { Dialect } from '../../shared/dialect.ts';
import type { Routes } from '../http/routes.ts';
import { eventReportRoutes } from './admin/event-reports.ts';
import { purgeHistoryRoutes } from './admin/purge-history.ts';
import { sharedSecretRegistrationRoutes } from './admin/register.ts';
import { roomRoutes } from './admin/rooms.ts';
import { scheduledTaskRoutes } from './admin/scheduled-tasks.ts';
import { serverVersionRoutes } from './admin/server-version.ts';
import { accountRoutes } from './client/account.ts';
import { eventRoutes } from './client/events.ts';
import { loginRoutes } from './client/login.ts';
import { mediaRoutes, uploadRoutes } from './client/media.ts';
import { memberRoutes } from './client/members.ts';
import { membershipRoutes } from './client/membership.ts';
import { registrationRoutes } from './client/register.ts';
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
  { prefix: `${dialect.chat}/client/v3`, routes: clientRoutes },
  { prefix: `${dialect.chat}/client/v1`, routes: [mediaRoutes] },
  { prefix: `${dialect.chat}/client`, routes: [versionsRoutes] },
  { prefix: `${dialect.chat}/media/r0`, routes: [uploadRoutes] },
  { prefix: `${dialect.chat}/media/v3`, routes: [uploadRoutes] },
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
];

const clientRoutes: Routes[] = [
  loginRoutes,
  registrationRoutes,
  accountRoutes,
  roomCreationRoutes,
  membershipRoutes,
  memberRoutes,
  stateRoutes,
  eventRoutes,
  reportRoutes,
];

/** Versions, capabilities and endpoints of the server. */
import type { RouteOptions } from 'fastify';
import {
  getCapabilities,
  getEndpoints,
  getFederationVersion,
  getServerVersion,
  getVersions,
} from '../../../shared/api/server.ts';
import type { Dialect } from '../../../shared/dialect.ts';
import { defaultVersion, supportedVersions } from '../../conversation/rooms/room-version.ts';
import type { Config } from '../../platform/config/config.ts';
import { serverVersion } from '../../platform/core/version.ts';
import { administrator, anyone, type UserPolicy, userOrGuest } from '../../platform/http/policy.ts';
import type { App, Routes } from '../../platform/http/routes.ts';

export const serverVersionRoutes: Routes<unknown> = (app) => {
  app.get('/v1/server_version', { schema: getServerVersion, config: { policy: administrator } }, () => ({
    server_version: serverVersion,
  }));
};

export const versionsRoutes: Routes<unknown> = (app) => {
  app.get('/versions', { schema: getVersions, config: { policy: anyone } }, () => ({
    versions: [
      'r0.6.1',
      'v1.1',
      'v1.2',
      'v1.3',
      'v1.4',
      'v1.5',
      'v1.6',
      'v1.7',
      'v1.8',
      'v1.9',
      'v1.10',
      'v1.11',
      'v1.12',
      'v1.13',
      'v1.14',
      'v1.15',
      'v1.16',
    ],
    unstable_features: {
      'org.matrix.simplified_msc3575': true,
      'org.matrix.msc4222': true,
      'org.matrix.e2e_cross_signing': true,
      'org.matrix.msc2285.stable': true,
      'org.matrix.msc2432': true,
      'org.matrix.msc3440.stable': true,
      'org.matrix.msc3771': true,
      'org.matrix.msc3827.stable': true,
      'org.matrix.msc3981': true,
      'fi.mau.msc2659.stable': true,
      'uk.half-shot.msc2666.query_mutual_rooms.stable': true,
      'uk.tcpip.msc4133.stable': true,
    },
  }));
};

/** Server-server API, "Server version". */
export const federationVersionRoutes: Routes<unknown> = (app) => {
  app.get('/v1/version', { schema: getFederationVersion, config: { policy: anyone } }, () => ({
    server: { name: 'Gatehouse', version: serverVersion },
  }));
};

const asking: UserPolicy = { ...userOrGuest, administrators: 'exempt' };

export const capabilityRoutes: Routes<{ config: Config }> = (app, { config }) => {
  app.get('/capabilities', { schema: getCapabilities, config: { policy: asking } }, ({ exempt }) => ({
    capabilities: {
      'm.room_versions': {
        default: defaultVersion,
        available: Object.fromEntries(supportedVersions.map((version) => [version, 'stable'])),
      },
      'm.change_password': { enabled: !config.externalAuthentication },
      'm.set_displayname': { enabled: config.profiles.mayChangeDisplayName },
      'm.set_avatar_url': { enabled: config.profiles.mayChangeAvatarUrl },
      'm.3pid_changes': { enabled: !config.externalAuthentication },
      'm.profile_fields': { enabled: true },
      'm.get_login_token': {
        enabled: config.loginViaExistingSession !== undefined && !config.externalAuthentication,
      },
      ...(exempt && { 'm.account_moderation': { lock: true, suspend: true } }),
    },
  }));
};

/**
 * The paths of all endpoints, so that the console needn't probe them one by one. Not in Synapse.
 *
 * @param main the dialect that routes are mounted under
 * @param all all routes of the app, once it has started
 */
export function endpointRoutes(app: App, main: Dialect, all: readonly RouteOptions[]): void {
  const prefix = `${main.administration}/admin`;
  const pathsBelow = (folder: string) => [
    ...new Set(all.flatMap(({ url }) => (url.startsWith(`${folder}/`) ? [url.slice(folder.length)] : []))),
  ];
  app.get(`${prefix}/v1/endpoints`, { schema: getEndpoints, config: { policy: administrator } }, () => ({
    administration: pathsBelow(prefix),
    chat: pathsBelow(main.chat),
  }));
}

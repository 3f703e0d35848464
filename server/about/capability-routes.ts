import { getCapabilities } from '../../shared/api/capabilities.ts';
import type { Config } from '../config/config.ts';
import { type UserPolicy, userOrGuest } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { defaultVersion, supportedVersions } from '../rooms/room-version.ts';

/** Administrators may do more. */
const asking: UserPolicy = { ...userOrGuest, administrators: 'exempt' };

/** Interface: "Changes by release", v1.53.0. */
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

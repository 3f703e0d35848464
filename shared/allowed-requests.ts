/**
 * All requests of the console, which are the only ones that the desktop app sends for its page, in case the page is
 * compromised. `*` matches one segment, `**` at the end any number.
 */
import type { Connection } from './connection.ts';
import { dialects } from './dialect.ts';
import { masAdminPrefix } from './mas.ts';
import type { PageRequest } from './outgoing-request.ts';

/** Below the admin API. Some GET requests only find out whether an endpoint exists. */
const administration = [
  'GET /v1/server_version',
  'GET /v1/endpoints',
  'GET /v1/event_reports',
  'GET DELETE /v1/event_reports/*',
  'GET /v1/user_reports',
  'GET DELETE /v1/user_reports/*',
  'GET /v1/room_reports',
  'GET DELETE /v1/room_reports/*',
  'GET /v1/fetch_event/*',

  'GET /v2/users',
  'GET /v3/users',
  'GET PUT /v2/users/*',
  'GET /v1/threepid/*/users/*',
  'GET /v1/auth_providers/*/users/*',
  'GET /v2/users/*/devices',
  'GET POST /v2/users/*/delete_devices',
  'GET PUT /v2/users/*/devices/*',
  'GET PUT /v1/users/*/admin',
  'GET /v1/users/*/accountdata',
  'GET /v1/users/*/joined_rooms',
  'GET /v1/users/*/memberships',
  'GET /v1/users/*/pushers',
  'GET /v1/users/*/sent_invite_count',
  'GET /v1/users/*/cumulative_joined_room_count',
  'GET PUT /v1/experimental_features/*',
  'GET DELETE /v1/users/*/media',
  'GET POST DELETE /v1/users/*/override_ratelimit',
  'GET POST DELETE /v1/users/*/shadow_ban',
  'GET POST /v1/user/*/redact',
  'GET /v1/user/redact_status/*',
  'GET POST /v1/user/*/media/quarantine',
  'GET PUT /v1/suspend/*',
  'GET POST /v1/deactivate/*',
  'GET POST /v1/reset_password/*',
  'GET POST /v1/users/*/_allow_cross_signing_replacement_without_uia',
  'GET /v1/username_available',
  'GET /v1/whois/*',
  'GET /v1/send_server_notice',
  'PUT /v1/send_server_notice/*',

  'GET /v1/rooms',
  'GET /v1/rooms/*',
  'GET /v1/rooms/*/members',
  'GET /v1/rooms/*/state',
  'GET /v1/rooms/*/messages',
  'GET /v1/rooms/*/context/*',
  'GET /v1/rooms/*/timestamp_to_event',
  'GET PUT /v1/rooms/*/block',
  'GET DELETE /v1/rooms/*/forward_extremities',
  'GET POST /v1/rooms/*/make_room_admin',
  'GET DELETE /v2/rooms/*',
  'GET /v2/rooms/delete_status/*',
  'GET POST /v1/join/*',
  'GET POST /v1/purge_history/*',
  'GET /v1/purge_history_status/*',

  'GET /v1/room/*/media',
  'GET POST /v1/room/*/media/quarantine',
  'GET DELETE /v1/media/*/*',
  'GET /v1/media/quarantine_changes',
  'GET POST /v1/media/quarantine/*/*',
  'GET POST /v1/media/unquarantine/*/*',
  'GET POST /v1/media/protect/*',
  'GET POST /v1/media/unprotect/*',
  'GET POST /v1/media/delete',
  'GET POST /v1/purge_media_cache',
  'GET /v1/statistics/users/media',
  'GET /v1/statistics/database/rooms',

  'GET /v1/registration_tokens',
  'POST /v1/registration_tokens/new',
  'GET PUT DELETE /v1/registration_tokens/*',
  'GET /v1/scheduled_tasks',
  'GET /v1/background_updates/status',
  'GET POST /v1/background_updates/enabled',
  'POST /v1/background_updates/start_job',
  'GET /v1/federation/destinations',
  'GET /v1/federation/destinations/*',
  'GET /v1/federation/destinations/*/rooms',
  'POST /v1/federation/destinations/*/reset_connection',
];

/** Current and older types of the rules of policy lists. */
const policyRuleTypes = ['m.policy.rule', 'm.room.rule', 'org.matrix.mjolnir.rule'].flatMap((prefix) =>
  ['user', 'room', 'server'].map((kind) => `${prefix}.${kind}`),
);

/** Below the prefix of the client, key and federation APIs. */
const chat = [
  'GET /client/v1/auth_metadata',
  'GET /client/unstable/org.matrix.msc2965/auth_issuer',
  'GET /client/v3/account/whoami',
  'GET /client/v3/devices/*',
  'GET /client/v3/sync',
  'GET PUT /client/v3/user/*/account_data/*',
  'POST /client/v3/createRoom',
  'POST /client/v3/join/*',
  'GET PUT /client/v3/directory/list/room/*',
  'GET PUT DELETE /client/v3/directory/room/*',
  'GET /client/v3/rooms/*/aliases',
  'GET /client/v3/rooms/*/report',
  'GET /client/v3/rooms/*/messages',
  'GET PUT /client/v3/rooms/*/state/m.room.power_levels',
  'GET /client/v3/rooms/*/state/m.room.create',
  'GET /client/v3/rooms/*/state/m.room.member/*',
  'GET PUT /client/v3/rooms/*/state/m.room.server_acl',
  ...policyRuleTypes.map((type) => `GET PUT /client/v3/rooms/*/state/${type}/*`),
  'PUT /client/v3/rooms/*/send/*/*',
  'GET PUT /client/v3/rooms/*/redact/*/*',
  'GET /client/v1/rooms/*/relations/*/m.replace',
  'POST /client/v3/rooms/*/invite',
  'POST /client/v3/rooms/*/join',
  'POST /client/v3/rooms/*/leave',
  'GET POST /client/v3/rooms/*/kick',
  'GET POST /client/v3/rooms/*/ban',
  'GET POST /client/v3/rooms/*/unban',
  'POST /media/v3/upload',
  'GET /client/v1/media/download/*/*',
  'GET /key/v2/server',
  'GET /federation/v1/version',
];

/** The built-in homeserver's own API. */
const localServer = ['GET POST PUT DELETE /_gatehouse/v1/**'];

/** Below MAS's admin API, which has IDs of its own. */
const mas = [
  'GET /site-config',
  'GET POST /users',
  'GET /users/by-username/*',
  'POST /users/*/lock',
  'POST /users/*/unlock',
  'POST /users/*/deactivate',
  'POST /users/*/reactivate',
  'POST /users/*/set-password',
  'POST /users/*/set-admin',
  'GET /compat-sessions',
  'POST /compat-sessions/*/finish',
  'GET /oauth2-sessions',
  'POST /oauth2-sessions/*/finish',
  'GET /user-sessions',
  'POST /user-sessions/*/finish',
  'GET /personal-sessions',
  'POST /personal-sessions/*/revoke',
  'GET POST /user-emails',
  'DELETE /user-emails/*',
  'GET /upstream-oauth-providers',
  'GET POST /upstream-oauth-links',
  'DELETE /upstream-oauth-links/*',
  'GET POST /user-registration-tokens',
  'GET PUT /user-registration-tokens/*',
  'POST /user-registration-tokens/*/revoke',
  'POST /user-registration-tokens/*/unrevoke',
];

export const allowedRequests = { administration, chat, localServer, mas };

/** Whether the console sends such a request. @param path checked by `requestUrl` */
export function isAllowed(
  connection: Pick<Connection, 'dialect' | 'local' | 'userId' | 'mas'>,
  request: PageRequest,
): boolean {
  const { dialect, local, userId } = connection;
  const { method, path } = request;
  const prefixes = dialects[dialect];
  const [pathname = ''] = path.split('?', 1);
  const isListed = (prefix: string, list: readonly string[]) =>
    pathname.startsWith(`${prefix}/`) && matches(list, method, pathname.slice(prefix.length));
  const listed =
    isListed(`${prefixes.administration}/admin`, administration) ||
    isListed(prefixes.chat, chat) ||
    (local && isListed('', localServer)) ||
    (connection.mas !== undefined && isListed(masAdminPrefix, mas));
  const accountId = connection.mas?.accountId;
  return (
    listed &&
    !takesOver(userId, request, pathname) &&
    (accountId === undefined ||
      !(takesOver(accountId, request, pathname) || names(request, 'user_id', accountId)))
  );
}

/** Whether a field of the body contains this ID, in any form: MAS names accounts there. */
const names = ({ body }: PageRequest, field: string, id: string): boolean =>
  typeof body === 'object' &&
  body !== null &&
  String((body as Record<string, unknown>)[field]).toLowerCase() === id.toLowerCase();

/** Fields that give access to an account: password, 3PIDs for resetting it, SSO identities. */
const signedInWith = ['password', 'threepids', 'external_ids'];

/** A compromised page must not be able to take over the signed-in account. */
function takesOver(userId: string, { body }: PageRequest, pathname: string): boolean {
  const segments = pathname.split('/').map((segment) => decodeURIComponent(segment).toLowerCase());
  if (!segments.includes(userId.toLowerCase())) return false;
  const signsIn = typeof body === 'object' && body !== null && signedInWith.some((field) => field in body);
  return (
    signsIn ||
    segments.includes('set-password') ||
    segments.includes('reset_password') ||
    segments.includes('_allow_cross_signing_replacement_without_uia')
  );
}

function matches(list: readonly string[], method: string, path: string): boolean {
  const segments = path.split('/');
  return list.some((entry) => {
    const words = entry.split(' ');
    const pattern = (words.at(-1) ?? '').split('/');
    const isOpen = pattern.at(-1) === '**';
    return (
      words.indexOf(method) !== -1 &&
      (isOpen ? segments.length >= pattern.length : segments.length === pattern.length) &&
      pattern.every((part, at) => part === '*' || part === '**' || part === segments[at])
    );
  });
}

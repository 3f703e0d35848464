/** The desktop app's allowlist covers the console's requests: each resource is requested here. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QueryClient } from '@tanstack/react-query';
import type { TSchema } from 'typebox';
import { Create } from 'typebox/value';
import { beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';
import * as accountData from '../../renderer/api/account-data.ts';
import { accountTraitsQuery } from '../../renderer/api/account-traits.ts';
import * as backgroundUpdates from '../../renderer/api/background-updates.ts';
import { sendDirectMessage } from '../../renderer/api/direct-messages.ts';
import * as eventContext from '../../renderer/api/event-context.ts';
import { downloadEvidence, uploadEvidence } from '../../renderer/api/evidence-file.ts';
import * as federation from '../../renderer/api/federation.ts';
import * as delegatedAccounts from '../../renderer/api/mas/delegated-accounts.ts';
import * as media from '../../renderer/api/media.ts';
import * as mediaStatistics from '../../renderer/api/media.ts';
import * as userMedia from '../../renderer/api/media.ts';
import * as mediaChanges from '../../renderer/api/media-changes.ts';
import * as memberships from '../../renderer/api/memberships.ts';
import * as policyLists from '../../renderer/api/policy-lists/policy-lists.ts';
import { eventTypesOf, ruleKinds } from '../../renderer/api/policy-lists/policy-rules.ts';
import * as serverAcl from '../../renderer/api/policy-lists/server-acl.ts';
import * as powerLevels from '../../renderer/api/power-levels.ts';
import * as purgeHistory from '../../renderer/api/purge-history.ts';
import * as sentBefore from '../../renderer/api/purge-history.ts';
import * as quarantineChanges from '../../renderer/api/quarantine-changes.ts';
import * as redactions from '../../renderer/api/redactions.ts';
import { editsOf } from '../../renderer/api/redactions.ts';
import * as registrationTokens from '../../renderer/api/registration-tokens.ts';
import { deletedReports } from '../../renderer/api/reports/deleted-reports.ts';
import * as eventReports from '../../renderer/api/reports/event-reports.ts';
import * as filedReports from '../../renderer/api/reports/filed-reports.ts';
import { filedReportTotalQuery } from '../../renderer/api/reports/filed-reports.ts';
import * as room from '../../renderer/api/room.ts';
import * as roomChanges from '../../renderer/api/room-changes.ts';
import * as roomList from '../../renderer/api/room-list.ts';
import * as scheduledTasks from '../../renderer/api/scheduled-tasks.ts';
import * as taskTrouble from '../../renderer/api/scheduled-tasks.ts';
import * as serverVersion from '../../renderer/api/server.ts';
import * as serverNotices from '../../renderer/api/server.ts';
import * as serverSoftware from '../../renderer/api/server.ts';
import * as signingKeys from '../../renderer/api/server.ts';
import * as supportedEndpoints from '../../renderer/api/supported-endpoints.ts';
import * as sync from '../../renderer/api/team-room.ts';
import * as team from '../../renderer/api/team-room.ts';
import * as unredacted from '../../renderer/api/unredacted.ts';
import * as upgradeCheck from '../../renderer/api/upgrade-check.ts';
import * as crossSigning from '../../renderer/api/user.ts';
import * as user from '../../renderer/api/user.ts';
import * as userDevices from '../../renderer/api/user.ts';
import * as userRooms from '../../renderer/api/user.ts';
import * as whois from '../../renderer/api/user.ts';
import * as userChanges from '../../renderer/api/user-changes.ts';
import * as userList from '../../renderer/api/user-list.ts';
import * as userSignals from '../../renderer/api/user-signals.ts';
import { NoSuchEndpoint } from '../../renderer/transport/refusal.ts';
import type { Server } from '../../renderer/transport/server.ts';
import { allowedRequests, isAllowed } from '../../shared/allowed-requests.ts';
import { type PageRequest, requestUrl } from '../../shared/outgoing-request.ts';

const connection = {
  id: 'x',
  baseUrl: 'https://example.org',
  dialect: 'matrix' as const,
  userId: '@admin:example.org',
  local: false,
};
const asked: PageRequest[] = [];

/** Replies with a minimal value of the schema, so that callers continue with further requests. */
function answer(schema: TSchema, request: PageRequest) {
  asked.push(request);
  return Promise.resolve(Create(schema) as never);
}

const under = (prefix: string) => ({
  get: ((schema, path) => answer(schema, { method: 'GET', path: prefix + path })) as Server['get'],
  send: ((method, schema, path, { body } = {}) =>
    answer(schema, { method, path: prefix + path, ...(body && { body: body.value }) })) as Server['send'],
});
const administration = under('/_synapse/admin');
const chat = under('/_matrix');
const states = new Map<unknown, unknown>();
const server: Server = {
  deviceStorage: {} as Server['deviceStorage'],
  state: (make) => {
    if (!states.has(make)) states.set(make, make(server));
    return states.get(make) as ReturnType<typeof make>;
  },
  id: connection.id,
  connection,
  ...administration,
  getChat: chat.get,
  sendChat: chat.send,
  has: async (api, path) => {
    asked.push({ method: 'GET', path: (api === 'chat' ? '/_matrix' : '/_synapse/admin') + path });
    return true;
  },
  media: () => Promise.reject(new Error('Pictures go another way')),
  upload: () => Promise.reject(new Error('Pictures go another way')),
};

const { signal } = new AbortController();
const client = new QueryClient();
type Options = { queryFn?: unknown; mutationFn?: unknown; initialPageParam?: unknown };

/** Runs a query like TanStack Query. */
const query = (options: Options, pageParam = options.initialPageParam) =>
  (options.queryFn as (context: object) => Promise<unknown>)({ signal, client, pageParam, queryKey: [] });
const change = (options: Options, input: unknown) =>
  (options.mutationFn as (input: unknown) => Promise<unknown>)(input);

const alice = '@alice/1:example.org';
const roomId = '!room:example.org';
const eventId = '$a/b';
const uri = 'mxc://example.org/id';
const page = { order: 'name', dir: 'f' } as never;

/** Edits are only requested for edited events. */
const editedEvent: Server['get'] = async (schema, path) => {
  await server.get(schema, path);
  return {
    event: { sender: alice, unsigned: { 'm.relations': { 'm.replace': { event_id: '$edit' } } } },
  } as never;
};

/** All functions that send requests, by file in renderer/api. */
const resources: Record<string, (() => Promise<unknown>)[]> = {
  'direct-messages': [() => sendDirectMessage({ ...server, sendChat: withNewRoom }, alice, 'Hello', 'tx')],
  'account-data': [() => query(accountData.accountDataQuery(server, alice))],
  'account-traits': [
    () => query(accountTraitsQuery(server, new Set([alice]))),
    () => query(accountTraitsQuery(server, new Set([...Array(201).keys()].map((n) => `@u${n}:example.org`)))),
  ],
  'delegated-accounts': [
    () => query(delegatedAccounts.authServiceQuery(server)),
    () => delegatedAccounts.delegatesAccounts({ ...server, getChat: withoutDelegation }),
  ],
  'background-updates': [
    () => query(backgroundUpdates.backgroundUpdatesQuery(server)),
    () => change(backgroundUpdates.setBackgroundUpdates(server), true),
    () => change(backgroundUpdates.startBackgroundJob(server), 'regenerate_directory'),
  ],
  'cross-signing': [() => crossSigning.allowCrossSigningReset(server, alice)],
  edits: [() => editsOf({ ...server, get: editedEvent }, { roomId, eventId })],
  'event-context': [
    () => query(eventContext.conversationQuery(server, roomId, eventId)),
    () => query(eventContext.conversationQuery(server, roomId, undefined)),
    () => query(eventContext.currentEventQuery(server, roomId, eventId)),
    () => query(eventContext.storedEventQuery(server, eventId)),
    () => query(eventContext.laterEventsQuery(server, roomId, eventId, { types: [], from: 'x' })),
  ],
  'evidence-file': [
    () => downloadEvidence(server, uri),
    () => uploadEvidence(server, { version: 1, server: 'h', by: alice, at: 1, events: [], media: [] }),
  ],
  'event-reports': [
    () => query(eventReports.eventReportTotalQuery(server, {})),
    () => query(eventReports.eventReportQuery(server, 1)),
    () => eventReports.deleteEventReport(server, deletedReports(), 1),
  ],
  federation: [
    () => federation.destinationList(server, page).fetch(0, 10, signal),
    () => query(federation.destinationQuery(server, 'other.example')),
    () => query(federation.destinationRoomsQuery(server, 'other.example')),
    () => federation.resetDestination(server, 'other.example'),
  ],
  'filed-report-total': [() => query(filedReportTotalQuery(server, 'user', {}))],
  'filed-reports': (['user', 'room'] as const).flatMap((kind) => [
    () => filedReports.filedReportList(server, kind, { dir: 'b' }).fetch(0, 1, signal),
    () => query(filedReports.filedReportQuery(server, kind, 1)),
    () => filedReports.deleteFiledReport(server, kind, 1),
  ]),
  'media-changes': [
    () => mediaChanges.setQuarantined(server, uri, true),
    () => mediaChanges.setQuarantined(server, uri, false),
    () => mediaChanges.setProtected(server, 'id', true),
    () => mediaChanges.setProtected(server, 'id', false),
    () => mediaChanges.deleteMedium(server, uri),
    () => mediaChanges.deleteUserMedia(server, alice),
    () => mediaChanges.deleteUnused(server, { before: 1, largerThan: 0, keepProfiles: true }),
    () => mediaChanges.purgeRemoteCache(server, 1),
    () => mediaChanges.quarantineUserMedia(server, alice),
    () => mediaChanges.quarantineRoomMedia(server, roomId),
    () => mediaChanges.userMediaUris(server, alice, true),
  ],
  'media-statistics': [() => mediaStatistics.mediaStatistics(server, page).fetch(0, 10, signal)],
  media: [
    () => query(media.mediumQuery(server, uri)),
    () => query(media.roomMediaQuery(server, roomId)),
    () => media.getRoomMedia(server, roomId),
  ],
  memberships: [
    ...(['kick', 'ban', 'unban'] as const).map(
      (way) => () => memberships.changeMembership(server, way, { roomId, userId: alice }, 'x'),
    ),
    () => memberships.joinRoom(server, roomId),
    () => memberships.leaveRoom(server, roomId),
    () => query(memberships.ownPermissionsQuery(server, roomId)),
    () => memberships.createdByOneself(server, roomId, signal),
    () => query(memberships.userMembershipsQuery(server, alice)),
    () => query(memberships.membershipQuery(server, { roomId, userId: alice })),
    () => memberships.getMembership(server, { roomId, userId: alice }),
  ],
  'supported-endpoints': [
    () => supportedEndpoints.probeEndpoints(server),
    () => supportedEndpoints.readEndpoints(server),
  ],
  'policy-lists': [
    () => query(policyLists.policyListQuery(server, roomId)),
    () => policyLists.joinList(server, '#a/b:example.org', ['other.example']),
    () => policyLists.createPolicyList(server, { name: 'a', alias: 'a', isPublic: true }),
    ...ruleKinds
      .flatMap(eventTypesOf)
      .flatMap((type) => [
        () => policyLists.getRuleContent(server, roomId, type, 'a/b'),
        () => policyLists.putRuleContent(server, roomId, { type, stateKey: 'a/b', content: {} }),
      ]),
  ],
  'purge-history': [
    () => purgeHistory.purgeHistory(server, roomId, { before: 1, includeLocal: false }),
    () => purgeHistory.purgeStatus(server, 'x'),
  ],
  'server-acl': [
    () => serverAcl.getServerAcl(server, roomId),
    () => serverAcl.putServerAcl(server, roomId, serverAcl.noAcl),
  ],
  'sent-before': [() => sentBefore.eventAtTime(server, roomId, { at: 1, dir: 'b' })],
  redactions: [
    () => redactions.redactEvent(server, { roomId, eventId }, { transaction: 't', reason: 'x' }),
    () => redactions.redactAllOfUser(server, alice, { rooms: [], limit: 1, reason: undefined }),
    () => redactions.redactionStatus(server, 'x'),
  ],
  'power-levels': [
    () => query(powerLevels.mutedQuery(server, { roomId, userId: alice })),
    () => powerLevels.putLevels(server, roomId, {}),
  ],
  'registration-tokens': [
    () => query(registrationTokens.registrationTokensQuery(server)),
    () => registrationTokens.createToken(server, {} as never),
    () => registrationTokens.changeToken(server, { token: 'login' }, {} as never),
    () => registrationTokens.deleteToken(server, 'login'),
  ],
  'room-changes': [
    () => roomChanges.setBlocked(server, roomId, true),
    () => roomChanges.deleteRoom(server, roomId, {} as never),
    () => roomChanges.deletionStatus(server, 'x'),
    () => roomChanges.makeRoomAdmin(server, roomId),
    () => roomChanges.joinUserToRoom(server, '#a/b:example.org', alice),
    () => roomChanges.setPublished(server, roomId, true),
    () => roomChanges.addAlias(server, roomId, '#a:example.org'),
    () => roomChanges.removeAlias(server, '#a:example.org'),
    () => roomChanges.deleteExtremities(server, roomId),
  ],
  'room-list': [
    () =>
      roomList.roomList(server, { search: '#a:example.org', order: 'name', dir: 'f' }).fetch(0, 10, signal),
    () => query(roomList.roomSizesQuery(server)),
  ],
  room: [
    () => query(room.roomQuery(server, roomId)),
    () => query(room.roomMembersQuery(server, roomId)),
    () => query(room.roomStateQuery(server, roomId)),
    () => query(room.roomCreationQuery(server, roomId)),
    () => query(room.roomCreationQuery(server, '!hash')),
    () => query(room.roomBlockQuery(server, roomId)),
    () => query(room.roomAliasesQuery(server, roomId)),
    () => query(room.extremitiesQuery(server, roomId)),
  ],
  'scheduled-tasks': [() => query(scheduledTasks.scheduledTasksQuery(server, {}))],
  'server-notices': [() => serverNotices.sendServerNotice(server, alice, 'x', 't')],
  'server-software': [() => query(serverSoftware.serverSoftwareQuery(server))],
  server: [() => query(serverVersion.serverVersionQuery(server))],
  'signing-keys': [() => query(signingKeys.signingKeysQuery(server))],
  sync: [
    () => sync.isOwnDevice({ ...server, getChat: withDevice }, signal),
    () => sync.waitForEvents(server, roomId, { since: 'x', timeoutMs: 1 }, signal),
  ],
  'task-trouble': [() => query(taskTrouble.taskCountsQuery(server))],
  'team-room': [
    () => team.listAdministrators(server, signal),
    () => team.isAdministrator(server, alice, signal),
    () => team.findAlias(server, '#a:example.org', signal),
    () => team.removeAlias(server, '#a:example.org'),
    () => team.roomSummary(server, roomId, signal),
    () => team.roomState(server, roomId, signal),
    () => team.createRoom(server, {}),
    () => team.joinRoom(server, roomId),
    () => team.inviteSelf(server, roomId),
    () => team.dropPowerLevel({ ...server, getChat: withPower }, roomId),
    () => team.changeMembership(server, roomId, 'invite', alice),
    () => team.sendEvent(server, roomId, { type: 'x', content: {}, transactionId: 't' }, signal),
    () => team.roomMessages(server, roomId, { dir: 'b', limit: 1, filter: {} }, signal),
    () => team.readAccountData(server, 'x', signal),
    () => team.writeAccountData(server, 'x', {}),
  ],
  unredacted: [
    () => unredacted.unredactedReported({ ...server, get: withReport }, alice, [1]),
    () =>
      unredacted.unredactedOf({ ...server, get: withRooms }, alice, {
        limit: 1,
        failures: { [eventId]: 'x' },
        reports: [],
      }),
  ],
  'upgrade-check': [() => query(upgradeCheck.upgradeCheckQuery(server))],
  'user-changes': [
    () => userChanges.setSuspended(server, alice, true),
    () => userChanges.setLocked(server, alice, true),
    () => userChanges.reactivate(server, alice, 'x'),
    () => userChanges.setServerAdmin(server, alice, true),
    () => userChanges.createUser(server, alice, { admin: false, password: 'x' }),
    () => query(userChanges.nameAvailableQuery(server, 'x')),
    () => userChanges.setShadowBanned(server, alice, true),
    () => userChanges.setShadowBanned(server, alice, false),
    () => userChanges.deactivate(server, alice, true),
    () => userChanges.resetPassword(server, alice, { password: 'x', endSessions: true }),
    () => userChanges.endSessions(server, alice),
    () => userChanges.endSession(server, alice, 'D'),
    () => query(userChanges.rateLimitQuery(server, alice)),
    () => userChanges.overrideRateLimit(server, alice, { perSecond: 0, burst: 0 }),
    () => userChanges.removeRateLimit(server, alice),
    () => userChanges.getDeviceName(server, alice, 'D/1'),
    () => userChanges.renameDevice(server, alice, 'D/1', 'x'),
  ],
  'user-list': [
    () =>
      userList.userList(server, { search: 'a@example.org', order: 'name', dir: 'f' }).fetch(0, 10, signal),
    () => userList.userList(server, { onlyDeactivated: true, order: 'name', dir: 'f' }).fetch(0, 10, signal),
    () => userList.userList(server, { search: 'oidc:4711', order: 'name', dir: 'f' }).fetch(0, 10, signal),
    () => query(userList.userTotalQuery(server, page)),
    () => query(userList.findsEmailQuery(server)),
  ],
  user: [() => query(user.userQuery(server, alice)), () => query(user.userMediaQuery(server, alice))],
  'user-signals': [
    () => query(userSignals.pushersQuery(server, alice)),
    () => query(userSignals.featuresQuery(server, alice)),
    () => query(userSignals.membershipCountsQuery(server, alice)),
    () => userSignals.setFeature(server, alice, 'msc1', true),
  ],
  'quarantine-changes': [() => query(quarantineChanges.quarantineChangesQuery(server))],
  'user-devices': [() => query(userDevices.userDevicesQuery(server, alice))],
  'user-rooms': [() => query(userRooms.userRoomsQuery(server, alice))],
  'user-media': [() => userMedia.userMediaList(server, alice, page).fetch(0, 10, signal)],
  whois: [() => query(whois.whoIsQuery(server, alice)), () => query(whois.ownDeviceQuery(server))],
};

const withoutDelegation: Server['getChat'] = async (...of) => {
  await server.getChat(...of);
  throw new NoSuchEndpoint();
};
const withNewRoom = (async (method, schema, path, options) => {
  const reply = await server.sendChat(method, schema, path, options);
  return path.endsWith('/createRoom') ? { room_id: roomId } : reply;
}) as Server['sendChat'];
const withDevice = ((schema, path) =>
  answer(schema, { method: 'GET', path: `/_matrix${path}` }).then((reply) => ({
    ...(reply as object),
    device_id: 'D/1',
  }))) as Server['getChat'];
const withReport = (async (schema, path) => {
  await server.get(schema, path);
  if (!path.startsWith('/v1/event_reports')) return { event: {} } as never;
  return {
    event_reports: [{ id: 1, room_id: roomId, event_id: eventId, sender: alice, received_ts: 1 }],
    total: 1,
  } as never;
}) as Server['get'];
const withRooms = (async (schema, path) => {
  const reply = await server.get(schema, path);
  return path.endsWith('/memberships') ? { memberships: { [roomId]: 'leave' } } : reply;
}) as Server['get'];
const withPower = ((schema, path) =>
  answer(schema, { method: 'GET', path: `/_matrix${path}` }).then(() => ({
    users: { [connection.userId]: 100 },
  }))) as Server['getChat'];

/** Files without requests of their own, or with calls to the shell only. */
const askNobody = [
  'deleted-reports',
  'event-verification',
  'exact-reports',
  'identity',
  'lenient',
  'list-scan',
  'listed-reports',
  // Covered by mas.test.ts.
  'mas',
  'mas-identities',
  'mas-sessions',
  'optional',
  'paging',
  'policy-matcher',
  'policy-rules',
  'report-frame',
  'report-order',
  'report-source',
  'report-subjects',
  'report-walk',
  'scan-pace',
  'shell',
];

beforeAll(async () => {
  // A minimal reply may make the caller throw. Requests up to then count.
  for (const ask of Object.values(resources).flat()) await ask().catch(() => {});
});

test('every resource is requested here', () => {
  const files = globSync('renderer/api/*.ts', { cwd: projectRoot }).map((path) => path.slice(13, -3));
  expect(files.filter((file) => !(file in resources) && !askNobody.includes(file))).toEqual([]);
  // Each path in the source was requested, compared by its prefix.
  const written = globSync('renderer/**/*.{ts,tsx}', { cwd: projectRoot }).flatMap((path) =>
    [
      ...readFileSync(join(projectRoot, path), 'utf8').matchAll(
        /[`'](\/(?:v\d|client|key|federation)\/[^`'?]*)/g,
      ),
    ]
      .map(([, address = '']) => address)
      .filter((address) => /^\/(v\d|client\/v3|key\/v2|federation\/v1)\//.test(address))
      // Skips an example in a comment.
      .filter((address) => !address.includes('@')),
  );
  expect(written.length).toBeGreaterThan(80);
  const beginnings = written.map((address) => new RegExp(`(admin|_matrix)${pattern(address)}`));
  const paths = asked.map(({ path }) => path);
  expect(written.filter((_, at) => !paths.some((path) => beginnings[at]?.test(path)))).toEqual([]);
  // Checks paths with a prefix from another function: `${roomPath(roomId)}/join`.
  const goingOn = globSync('renderer/api/*.ts', { cwd: projectRoot }).flatMap((path) =>
    [...readFileSync(join(projectRoot, path), 'utf8').matchAll(/`\$\{[^}]*\}(\/[^`?]+)/g)].map(
      ([, address = '']) => address,
    ),
  );
  expect(goingOn.length).toBeGreaterThan(15);
  const ends = goingOn.map((address) => new RegExp(`${pattern(address)}(\\?|$)`));
  expect(goingOn.filter((_, at) => !paths.some((path) => ends[at]?.test(path)))).toEqual([]);
});

const pattern = (address: string) =>
  address
    .split(/\$\{[^}]*(?:\}|$)/)
    .map((part) => part.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&'))
    .join('[^?]+');

test('every request of the console is allowed', () => {
  expect(asked.filter((request) => !isAllowed(connection, request))).toEqual([]);
  for (const { path } of asked) expect(requestUrl(connection, path)).toBe(connection.baseUrl + path);
});

test('no other requests are allowed', () => {
  const { administration: ours, chat: theirs } = allowedRequests;
  const entries = [
    ...ours.map((entry) => ({ entry, prefix: '/_synapse/admin' })),
    ...theirs.map((entry) => ({ entry, prefix: '/_matrix' })),
  ].flatMap(({ entry, prefix }) => {
    const words = entry.split(' ');
    const path = `${prefix}${words.at(-1)}`.replaceAll('.', '\\.').replaceAll('*', '[^/?]+');
    return words.slice(0, -1).map((method) => ({ entry, method, path: new RegExp(`^${path}(\\?|$)`) }));
  });
  const idle = entries.filter(
    ({ method, path }) => !asked.some((request) => request.method === method && path.test(request.path)),
  );
  expect(idle.map(({ method, entry }) => `${method}: ${entry}`)).toEqual([]);
});

const own = encodeURIComponent(connection.userId);

test.each([
  ['another method', 'DELETE', '/_synapse/admin/v1/server_version'],
  ["an endpoint that isn't requested", 'GET', '/_synapse/admin/v1/account_validity/validity'],
  ['all of the server notices', 'DELETE', '/_synapse/admin/v1/send_server_notice'],
  ['one segment more', 'GET', '/_synapse/admin/v1/server_version/x'],
  ['one segment less', 'PUT', '/_synapse/admin/v1/suspend'],
  ['letters that are encoded', 'GET', '/_synapse/admin/v1/server%5Fversion'],
  ['capitals', 'GET', '/_synapse/admin/V1/server_version'],
  ['a login as another user', 'POST', '/_synapse/admin/v1/users/%40bob%3Aexample.org/login'],
  ['keys of the encryption', 'POST', '/_matrix/client/v3/keys/query'],
  ['new keys of the account', 'POST', '/_matrix/client/v3/keys/device_signing/upload'],
  ['a backup of keys', 'GET', '/_matrix/client/v3/room_keys/keys'],
  ["the account's password", 'POST', '/_matrix/client/v3/account/password'],
  ["the account's end", 'POST', '/_matrix/client/v3/account/deactivate'],
  ["the account's email addresses", 'POST', '/_matrix/client/v3/account/3pid/add'],
  ['a session of its own', 'DELETE', '/_matrix/client/v3/devices/D'],
  ['messages to devices', 'PUT', '/_matrix/client/v3/sendToDevice/x/1'],
  ['any other state of a room', 'PUT', '/_matrix/client/v3/rooms/!r%3Ab/state/m.room.name'],
  ['a request of a pusher', 'POST', '/_matrix/client/v3/pushers/set'],
  ['another server in its name', 'GET', '/_matrix/federation/v1/event/x'],
  ['the workbench of a server elsewhere', 'GET', '/_gatehouse/v1/requests'],
  ['its own password, as an administrator', 'POST', `/_synapse/admin/v1/reset_password/${own}`],
  [
    'its own keys without a password',
    'POST',
    `/_synapse/admin/v1/users/${own}/_allow_cross_signing_replacement_without_uia`,
  ],
  [
    'its own password, with its name in capitals',
    'POST',
    `/_synapse/admin/v1/reset_password/${own.toUpperCase()}`,
  ],
] as const)('%s is not sent', (_, method, path) => {
  expect(isAllowed(connection, { method, path })).toBe(false);
});

test('the own account can be changed, except its sign-in data', () => {
  const path = `/_synapse/admin/v2/users/${own}`;
  const put = (body: unknown) => isAllowed(connection, { method: 'PUT', path, body });
  expect(put({ displayname: 'Ada' })).toBe(true);
  expect(put({ displayname: 'Ada', password: 'x' })).toBe(false);
  expect(put({ threepids: [{ medium: 'email', address: 'mallory@example.org' }] })).toBe(false);
  expect(put({ external_ids: [{ auth_provider: 'oidc', external_id: 'mallory' }] })).toBe(false);
});

test("the own account can't be taken over through MAS's admin API", () => {
  const withMas = { ...connection, mas: { url: 'https://auth.example.org', accountId: '01JOWN' } };
  const post = (path: string, body: unknown) =>
    isAllowed(withMas, { method: 'POST', path: `/api/admin/v1${path}`, body });
  expect(post('/users/01JOTHER/set-password', { password: 'x' })).toBe(true);
  expect(post('/users/01jown/set-password', { password: 'x' })).toBe(false);
  expect(post('/user-emails', { user_id: '01jown', email: 'mallory@example.org' })).toBe(false);
  expect(post('/user-emails', { user_id: '01JOTHER', email: 'a@example.org' })).toBe(true);
  expect(post('/users/01JOWN/lock', {})).toBe(true);
  expect(isAllowed(connection, { method: 'GET', path: '/api/admin/v1/site-config' })).toBe(false);
  expect(post('/personal-sessions', { actor_user_id: '01JOTHER' })).toBe(false);
});

test('the local server has the extra endpoints and nothing beyond them', () => {
  const local = { ...connection, local: true };
  const path = '/_gatehouse/v1/requests/7?from=1';
  expect(isAllowed(local, { method: 'GET', path })).toBe(true);
  expect(requestUrl(local, path)).toBe(connection.baseUrl + path);
  expect(isAllowed(local, { method: 'GET', path: '/_gatehouse/v2/requests' })).toBe(false);
  expect(isAllowed(local, { method: 'GET', path: '/_gatehouse/v1' })).toBe(false);
});

/**
 * Compares an account with others. Servers can't search by IP address, device, file or domain, so the others are
 * loaded one by one, a limited number of them.
 */
import type { QueryClient } from '@tanstack/react-query';
import { isLocal } from '../../../actions/items.ts';
import { isExpected } from '../../../api/lenient.ts';
import { masAccount } from '../../../api/mas/mas.ts';
import { masIdentities } from '../../../api/mas/mas-identities.ts';
import { getMedium, localUri, type Medium, userMediaPage } from '../../../api/media.ts';
import { eventReports } from '../../../api/reports/event-reports.ts';
import { filedReports } from '../../../api/reports/filed-reports.ts';
import { offeredQuery } from '../../../api/supported-endpoints.ts';
import { accountStates, type User, userDevicesQuery, userQuery, whoIsQuery } from '../../../api/user.ts';
import { type UserListItem, userList } from '../../../api/user-list.ts';
import { NoSuchEndpoint, NotFound } from '../../../transport/refusal.ts';
import type { Server } from '../../../transport/server.ts';
import { maxCompared, type Scope } from './scopes.ts';
import { emailTraits, type Traits } from './signs.ts';

const reportsRead = 1000;
const filesRead = 100;
/** Hashes that are loaded one by one. */
const maxHashes = 20;

type Context = { server: Server; queryClient: QueryClient; signal: AbortSignal };

/** Data to load of an account; default: all of it. */
type DataToLoad = {
  sessions: boolean;
  emails: boolean;
  /** Sizes of files that can be the same, in bytes. */
  sizes?: ReadonlySet<number>;
};

const everything: DataToLoad = { sessions: true, emails: true };

/** `sizes`: of the files. */
export type Loaded = { traits: Traits; sizes: ReadonlySet<number> };

/** @throws ConnectionFailure */
export async function loadTraits(
  context: Context,
  userId: string,
  { sessions, emails, sizes }: DataToLoad = everything,
): Promise<Loaded> {
  const [connections, addresses, files] = await Promise.all([
    sessions ? loadSessions(context, userId) : { device: [], ip: [], agent: [] },
    emails ? loadEmails(context, userId) : [],
    sizes?.size === 0 ? [] : loadFiles(context, userId, sizes),
  ]);
  return {
    traits: { ...connections, ...emailTraits(addresses), file: files.map(({ hash }) => hash) },
    sizes: new Set(files.map(({ size }) => size)),
  };
}

async function loadSessions({ server, queryClient }: Context, userId: string) {
  const [devices, connections] = await Promise.all([
    unlessMissing(queryClient.fetchQuery({ ...userDevicesQuery(server, userId), gcTime: 0 })),
    unlessMissing(queryClient.fetchQuery({ ...whoIsQuery(server, userId), gcTime: 0 })),
  ]);
  const known = (devices ?? []).filter(isExpected);
  const seen = (connections ?? []).filter(isExpected);
  return {
    device: known.map(({ device_id }) => device_id),
    ip: valuesOf([...known.map(({ last_seen_ip: ip }) => ip), ...seen.map(({ ip }) => ip)]),
    agent: valuesOf([
      ...known.map(({ last_seen_user_agent: agent }) => agent),
      ...seen.map(({ user_agent: agent }) => agent),
    ]),
  };
}

/** Synapse notes a dash where it doesn't know the address. */
const valuesOf = (values: readonly (string | null | undefined)[]) => [
  ...new Set(values.filter((value): value is string => Boolean(value) && value !== '-')),
];

async function loadEmails({ server, queryClient, signal }: Context, userId: string): Promise<string[]> {
  if (server.mas) {
    const account = await masAccount(server, userId, signal);
    const identities = account ? await masIdentities(server, account, signal) : [];
    return identities.flatMap(({ identity }) => ('address' in identity ? identity.address : []));
  }
  const user = await unlessMissing(queryClient.fetchQuery({ ...userQuery(server, userId), gcTime: 0 }));
  return (user?.threepids ?? []).flatMap(({ medium, address }) => (medium === 'email' ? address : []));
}

/**
 * Returns the newest files with a known hash. Synapse returns hashes one by one, so only files of these sizes are
 * loaded.
 */
async function loadFiles({ server, signal }: Context, userId: string, sizes: DataToLoad['sizes']) {
  const page = { order: 'created_ts', dir: 'b', from: 0, limit: filesRead } as const;
  const list = await unlessMissing(userMediaPage(server, userId, page, signal));
  const media = (list?.rows ?? []).filter(isExpected);
  const files: { hash: string; size: number }[] = [];
  let loaded = 0;
  for (const medium of media) {
    const { media_length: size } = medium;
    if (!size || (sizes && !sizes.has(size))) continue;
    if (!medium.sha256 && ++loaded > maxHashes) continue;
    const hash = medium.sha256 ?? (await loadHash(server, medium, signal));
    if (hash) files.push({ hash, size });
  }
  return files;
}

const loadHash = async (server: Server, { media_id: id }: Medium, signal: AbortSignal) =>
  (await unlessMissing(getMedium(server, localUri(server, id), signal)))?.sha256;

/** Returns undefined if the server lacks the endpoint, or refuses it for this account. */
async function unlessMissing<Reply>(asking: Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof NotFound || error instanceof NoSuchEndpoint) return undefined;
    throw error;
  }
}

/** Returns the accounts to compare, without the account itself. @param acted user IDs in the team's log, newest first */
export async function loadCandidates(
  context: Context,
  userId: string,
  scope: Scope,
  acted: readonly string[],
): Promise<UserListItem[]> {
  const { server, queryClient, signal } = context;
  const everyone = { deactivated: true, locked: true, order: 'creation_ts' } as const;
  if (scope === 'known') {
    const reported = await reportedUsers(context);
    const ids = new Set([...acted, ...reported].filter((id) => id !== userId && isLocal(server, id)));
    return [...ids].slice(0, maxCompared).map((name) => ({ name }));
  }
  const list = userList(server, { ...everyone, dir: scope === 'newest' ? 'b' : 'f' });
  let from = 0;
  if (scope === 'near') {
    const created = createdAt(await queryClient.fetchQuery(userQuery(server, userId)));
    const { total } = await list.fetch(0, 1, signal);
    const place = await lowerBound(total, async (at) => {
      const [row] = (await list.fetch(at, 1, signal)).rows;
      return row === undefined || (isExpected(row) && (row.creation_ts ?? 0) >= created);
    });
    from = Math.max(0, Math.min(place - maxCompared / 2, total - maxCompared - 1));
  }
  const { rows } = await list.fetch(from, maxCompared + 1, signal);
  return rows
    .filter(isExpected)
    .filter(({ name }) => name !== userId)
    .slice(0, maxCompared);
}

/** Returns the first index for which a condition is met; it's met from there on. */
export async function lowerBound(total: number, isMet: (place: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, total];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isMet(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

async function reportedUsers({ server, queryClient, signal }: Context): Promise<string[]> {
  const range = { dir: 'b', from: 0, limit: reportsRead } as const;
  const offered = await queryClient.fetchQuery(offeredQuery(server));
  const [onEvents, onUsers] = await Promise.all([
    eventReports(server, {}).ask(signal)(range),
    offered.has('userReports') ? filedReports(server, 'user', {}).ask(signal)(range) : { event_reports: [] },
  ]);
  return [
    ...onEvents.event_reports.flatMap(({ sender }) => sender ?? []),
    ...onUsers.event_reports.map(({ about }) => about),
  ];
}

/** In milliseconds since the Unix epoch; details have seconds, on some versions milliseconds. */
const createdAt = ({ creation_ts: created = 0 }: User) => (created < 1e11 ? created * 1000 : created);

/** Loads an account's current states. Lists don't have suspensions. */
export async function loadStates(
  { server, queryClient }: Context,
  item: UserListItem,
): Promise<UserListItem> {
  const user = await unlessMissing(queryClient.fetchQuery(userQuery(server, item.name)));
  if (!user) return item;
  return { ...item, ...accountStates(user), creation_ts: item.creation_ts ?? createdAt(user) };
}

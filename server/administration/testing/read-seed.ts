/** Reads and checks a seed before anything is written. */
import { readFile } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { isObject } from '../../../shared/is-object.ts';
import { Seed, type SeedMessage, type SeedRoom } from '../../../shared/workbench/seed.ts';
import { refuseFaults } from '../../platform/config/check-settings.ts';
import { ConfigurationError, refuseAtOnce } from '../../platform/config/configuration-error.ts';

/** Local parts of users who aren't in the written seed. */
type FurtherUsers = {
  /** Users to add with the seed. */
  names?: readonly string[];
  /** On the server already; the seed may refer to them. */
  existing?: readonly string[];
};

/** @throws ConfigurationError that names the part and the fix */
export async function readSeedFile(path: string, further: FurtherUsers = {}): Promise<Seed> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(
      path,
      `can't read the file (${error.code})`,
      'check the path given with --seed',
    );
  });
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) {
    const [first = ''] = error.message.split('\n');
    throw new ConfigurationError(path, first.replace(/:$/, ''), 'correct it');
  }
  return checkSeed(document.toJS() ?? {}, further);
}

/** @throws ConfigurationError that names the part and the fix */
export function checkSeed(written: unknown, { names = [], existing = [] }: FurtherUsers = {}): Seed {
  if (!isObject(written)) throw new ConfigurationError('seed', 'must be a map', 'set users and rooms');
  // In YAML, `bob:` is a user without settings.
  const seed = Object.fromEntries(
    Object.entries(written)
      .filter(([, part]) => part !== null)
      .map(([name, part]) => [name, isObject(part) ? withoutNulls(part) : part]),
  );
  const further = Object.fromEntries(names.map((name) => [name, {}]));
  if (names.length > 0 && isObject(seed.users ?? {})) seed.users = { ...further, ...(seed.users as object) };
  refuseFaults(Seed, seed, refuseAtOnce);
  checkDevices(seed as Seed);
  checkNames(seed as Seed, existing);
  return seed as Seed;
}

const withoutNulls = (map: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, value ?? {}]));

/** Tokens are unique; a second token of a device would replace the first. */
function checkDevices({ users = {} }: Seed): void {
  const tokens = new Set<string>();
  for (const [name, { token, devices = [] }] of Object.entries(users)) {
    const ids = new Set<string>();
    requireUnique(`users.${name}.token`, tokens, token);
    for (const [index, device] of devices.entries()) {
      requireUnique(`users.${name}.devices.${index}.token`, tokens, device.token);
      requireUnique(`users.${name}.devices.${index}.id`, ids, device.id);
    }
  }
}

function requireUnique(path: string, earlier: Set<string>, value: string | undefined): void {
  if (value === undefined) return;
  if (earlier.has(value)) throw new ConfigurationError(path, 'used twice', 'choose another one');
  earlier.add(value);
}

function checkNames(
  { time, users = {}, media = {}, rooms = {}, reports = [] }: Seed,
  existing: readonly string[],
): void {
  if (time !== undefined && Number.isNaN(Date.parse(time))) {
    throw new ConfigurationError('time', 'not a date', 'use a value such as 2026-01-01T00:00:00Z');
  }
  const known = { ...users, ...Object.fromEntries(existing.map((name) => [name, {}])) };
  const requireUser = (path: string, name: string | undefined) => requireName(path, 'user', known, name);
  const requireMedia = (path: string, name: string | undefined) => requireName(path, 'file', media, name);
  for (const [name, { avatar }] of Object.entries(users)) requireMedia(`users.${name}.avatar`, avatar);
  for (const [name, { by, file, text, base64 }] of Object.entries(media)) {
    requireUser(`media.${name}.by`, by);
    requireOne(`media.${name}`, { file, text, base64 });
  }
  for (const [name, room] of Object.entries(rooms)) {
    const path = `rooms.${name}`;
    requireUser(`${path}.creator`, room.creator);
    requireMedia(`${path}.avatar`, room.avatar);
    for (const list of ['members', 'invited', 'knocking', 'banned', 'left'] as const) {
      for (const [index, user] of (room[list] ?? []).entries()) requireUser(`${path}.${list}.${index}`, user);
    }
    for (const user of Object.keys(room.power_levels ?? {}))
      requireUser(`${path}.power_levels.${user}`, user);
    for (const [index, { by }] of (room.state ?? []).entries()) requireUser(`${path}.state.${index}.by`, by);
    checkMessages(path, room, requireUser, requireMedia);
  }
  for (const [index, { by, event, user, room }] of reports.entries()) {
    const path = `reports.${index}`;
    requireUser(`${path}.by`, by);
    requireOne(path, { event, user, room });
    requireUser(`${path}.user`, user);
    requireName(`${path}.room`, 'room', rooms, room);
    if (event !== undefined) requireEvent(`${path}.event`, event, rooms);
  }
}

type RequireName = (path: string, name: string | undefined) => void;

function checkMessages(
  path: string,
  { messages = [] }: SeedRoom,
  requireUser: RequireName,
  requireMedia: RequireName,
): void {
  const earlier: Record<string, true> = {};
  for (const [index, message] of messages.entries()) {
    const at = `${path}.messages.${index}`;
    const { id, by, media, text, edit, react, content, type, to } = message;
    requireUser(`${at}.by`, by);
    requireMedia(`${at}.media`, media);
    requireOne(at, kindsOf(message));
    if (edit !== undefined && text === undefined) throw missing(`${at}.text`, 'set the new text');
    if (react !== undefined && to === undefined) throw missing(`${at}.to`, 'set the ID of a message');
    if (content !== undefined && type === undefined) throw missing(`${at}.type`, 'set the type of the event');
    for (const name of ['reply_to', 'thread', 'edit', 'to', 'redact'] as const) {
      requireName(`${at}.${name}`, 'earlier message', earlier, message[name]);
    }
    if (id === undefined) continue;
    if (earlier[id]) throw new ConfigurationError(`${at}.id`, 'used twice', 'choose another ID');
    earlier[id] = true;
  }
}

/** Each message is one of these. */
const kindsOf = ({ text, edit, media, react, redact, content }: SeedMessage) => ({
  text: edit === undefined ? text : undefined,
  ...{ edit, media, react, redact, content },
});

function requireEvent(path: string, event: string, rooms: NonNullable<Seed['rooms']>): void {
  const slash = event.indexOf('/');
  const [room, id] = [event.slice(0, slash), event.slice(slash + 1)];
  if (rooms[room]?.messages?.some((message) => message.id === id)) return;
  throw new ConfigurationError(
    path,
    'no such message',
    'use a room and the ID of a message, such as lobby/hello',
  );
}

function requireName(path: string, kind: string, known: object, name: string | undefined): void {
  if (name === undefined || Object.hasOwn(known, name)) return;
  const names = Object.keys(known);
  const fix = names.length > 0 ? `use one of ${names.slice(0, 20).join(', ')}` : 'add it to the seed first';
  throw new ConfigurationError(path, `no ${kind} named ${name}`, fix);
}

function requireOne(path: string, parts: Record<string, unknown>): void {
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  if (given.length === 1) return;
  const names = Object.keys(parts).join(', ');
  if (given.length === 0) throw missing(path, `set one of ${names}`);
  throw new ConfigurationError(
    path,
    `${given.map(([name]) => name).join(' and ')} at once`,
    `set one of ${names}`,
  );
}

const missing = (path: string, fix: string) => new ConfigurationError(path, 'missing', fix);

/**
 * Adds a seed through the code that serves requests. IDs of rooms, events and media depend only on the seed and the
 * server name: they are the same each time.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { JsonObject } from '../../../shared/api/common.ts';
import type { Seed, SeedMessage, SeedRoom, World } from '../../../shared/workbench/seed.ts';
import { createRoom } from '../../conversation/rooms/creation/create-room.ts';
import {
  type EventDraft,
  type RoomContext,
  sendEvent,
} from '../../conversation/rooms/events/append-events.ts';
import {
  changeMembership,
  type MembershipChange,
  ownChange,
} from '../../conversation/rooms/membership/change-membership.ts';
import { findRoom } from '../../conversation/rooms/room-store.ts';
import { defaultVersion, rulesOf } from '../../conversation/rooms/room-version.ts';
import { findAccountData, setAccountData } from '../../identity/account-data/account-data-store.ts';
import { type AccountContext, createUser } from '../../identity/accounts/create-user.ts';
import { hashPassword } from '../../identity/accounts/passwords.ts';
import { findUser, updateUser } from '../../identity/accounts/user-store.ts';
import { readImageHeader } from '../../identity/media/image-header.ts';
import { findMedia } from '../../identity/media/media-store.ts';
import { type MediaContext, storeUpload } from '../../identity/media/upload.ts';
import { findSession, replaceSession } from '../../identity/sessions/session-store.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { roomIdOf } from '../../platform/core/identifiers.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import { randomDeviceId, randomSecret, tokenHash } from '../../platform/core/secrets.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { reportEvent, reportRoom, reportUser } from '../reports/reporting.ts';

export type SeedContext = AccountContext & MediaContext & RoomContext;

/** Default time of the first event. */
const defaultTime = '2026-01-01T00:00:00Z';
/** Between two events, in milliseconds. */
const step = 1_000;

/**
 * Adds a seed and returns its IDs and tokens.
 *
 * @param folder for paths of files; files are refused without one
 * @throws ConfigurationError that names the part; earlier parts stay added
 */
export async function addSeed(context: SeedContext, seed: Seed, folder?: string): Promise<World> {
  const time = { now: Date.parse(seed.time ?? defaultTime) };
  const past = { ...context, clock: { ...context.clock, now: () => time.now } };
  const world: World = { users: {}, rooms: {}, media: {} };
  /** Runs one step of the seed, a second after the last one. */
  async function at<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    time.now += step;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof MatrixError)) throw error;
      throw new ConfigurationError(path, error.message.replace(/\.$/, ''), 'correct it');
    }
  }
  await requireNew(context, seed);
  await addUsers(past, context, seed, world, at);
  await addMedia(past, seed, folder, world, at);
  for (const [name, room] of Object.entries(seed.rooms ?? {})) await addRoom(past, name, room, world, at);
  for (const [index, report] of (seed.reports ?? []).entries()) {
    await at(`reports.${index}`, () => addReport(past, report, world));
  }
  return world;
}

type At = <Result>(path: string, work: () => Promise<Result>) => Promise<Result>;

const idOf = ({ config }: SeedContext, localpart: string) => `@${localpart}:${config.serverName}`;
const roomKey = (name: string) => `room ${name}`;
const mediaIdOf = (name: string) => digest(`media ${name}`);

/** Checks for duplicates that the server would refuse, before anything is added. @throws ConfigurationError */
async function requireNew(context: SeedContext, { users = {}, media = {}, rooms = {} }: Seed): Promise<void> {
  const { db, config } = context;
  const taken = (path: string, fix: string) => new ConfigurationError(path, 'already on this server', fix);
  for (const [name, { token, devices = [] }] of Object.entries(users)) {
    if (await findUser(db, idOf(context, name))) {
      throw taken(`users.${name}`, 'remove it from users; the rest of the seed can still refer to it');
    }
    const tokens = [
      [`users.${name}.token`, token] as const,
      ...devices.map((device, index) => [`users.${name}.devices.${index}.token`, device.token] as const),
    ];
    for (const [path, value] of tokens) {
      if (value !== undefined && (await findSession(db, tokenHash(value)))) {
        throw taken(path, 'choose another token');
      }
    }
  }
  for (const name of Object.keys(media)) {
    if (await findMedia(db, mediaIdOf(name))) throw taken(`media.${name}`, 'choose another name');
  }
  for (const name of Object.keys(rooms)) {
    if (await findRoom(db, roomIdOf(roomKey(name), config.serverName))) {
      throw taken(`rooms.${name}`, 'choose another name');
    }
  }
}

async function addUsers(
  past: SeedContext,
  { clock, config }: SeedContext,
  { users = {} }: Seed,
  world: World,
  at: At,
): Promise<void> {
  const { lifetimeMs, plainTokenMs = lifetimeMs } = config.sessions;
  const hashes = new Map<string, Promise<string>>();
  const hashOf = (password: string) => {
    const known = hashes.get(password) ?? hashPassword('the server', password);
    hashes.set(password, known);
    return known;
  };
  for (const [localpart, { name, admin, password, token, devices = [] }] of Object.entries(users)) {
    const [first, ...others] = devices;
    const sessions = [{ token, ...first }, ...others].map((device) => ({
      deviceId: device.id ?? randomDeviceId(),
      accessToken: device.token ?? randomSecret(),
      name: device.name ?? null,
    }));
    const userId = await at(`users.${localpart}`, async () =>
      createUser(past, {
        localpart,
        ...(name !== undefined && { displayName: name }),
        ...(admin !== undefined && { admin }),
        ...(password !== undefined && { passwordHash: await hashOf(password) }),
      }),
    );
    // Tokens expire relative to the current time, unlike events, which happened in the past.
    const now = clock.now();
    await inTransaction(past.db, async (tx) => {
      for (const { deviceId, accessToken, name: deviceDisplayName } of sessions) {
        const expiresTs = plainTokenMs === undefined ? null : now + plainTokenMs;
        const hash = tokenHash(accessToken);
        await replaceSession(tx, { userId, deviceId, deviceDisplayName, tokenHash: hash, now, expiresTs });
      }
    });
    const tokens = sessions.map(({ deviceId, accessToken }) => ({
      device_id: deviceId,
      access_token: accessToken,
    }));
    world.users[localpart] = {
      user_id: userId,
      ...(tokens[0] ?? { device_id: '', access_token: '' }),
      devices: tokens,
    };
  }
}

/** Media by the names in the seed, with the content of messages that show them. */
const described = new WeakMap<World, Map<string, { type: string; name: string; info: JsonObject }>>();

async function addMedia(
  past: SeedContext,
  { media = {}, users = {} }: Seed,
  folder: string | undefined,
  world: World,
  at: At,
): Promise<void> {
  const known = new Map<string, { type: string; name: string; info: JsonObject }>();
  described.set(world, known);
  for (const [name, { by, file, text, base64, ...given }] of Object.entries(media)) {
    const path = `media.${name}`;
    const content = text !== undefined ? Buffer.from(text) : await contentOf(path, folder, { file, base64 });
    const type = given.type ?? (text === undefined ? 'application/octet-stream' : 'text/plain');
    const uploadName = given.name ?? (file === undefined ? null : basename(file));
    const upload = { userId: idOf(past, by), contentType: type, uploadName };
    const uri = await at(path, () =>
      storeUpload(past, { ...upload, content: Readable.from([content]) }, mediaIdOf(name)),
    );
    world.media[name] = uri;
    const header = readImageHeader(content);
    const info = {
      mimetype: type,
      size: content.length,
      ...(header && { w: header.width, h: header.height }),
    };
    known.set(name, { type, name: uploadName ?? name, info });
  }
  for (const [localpart, { avatar }] of Object.entries(users)) {
    if (avatar === undefined) continue;
    const avatarUrl = world.media[avatar] ?? null;
    await inTransaction(past.db, (tx) => updateUser(tx, idOf(past, localpart), { avatarUrl }));
  }
}

async function contentOf(
  path: string,
  folder: string | undefined,
  { file, base64 }: { file: string | undefined; base64: string | undefined },
): Promise<Buffer> {
  if (file === undefined) return Buffer.from(base64 ?? '', 'base64');
  if (folder === undefined) {
    throw new ConfigurationError(`${path}.file`, 'files need a seed file', 'set text or base64');
  }
  return readFile(resolve(folder, file)).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(`${path}.file`, `can't read ${file} (${error.code})`, 'check the path');
  });
}

async function addRoom(past: SeedContext, name: string, room: SeedRoom, world: World, at: At): Promise<void> {
  const { serverName } = past.config;
  const path = `rooms.${name}`;
  const user = (localpart: string) => idOf(past, localpart);
  const creator = user(room.creator);
  const roomId = await at(path, () =>
    createRoom(past, creator, requestOf(past, room, world), { admin: true, idFrom: roomKey(name) }),
  );
  const events: Record<string, string> = {};
  world.rooms[name] = {
    room_id: roomId,
    ...(room.alias !== undefined && { alias: `#${room.alias}:${serverName}` }),
    events,
  };
  const change = (by: string, target: string, membership: string): MembershipChange => ({
    roomId,
    sender: by,
    target,
    content: { membership },
  });
  const move = (where: string, ...changes: MembershipChange[]) =>
    at(where, () =>
      inTransaction(past.db, async (tx) => {
        for (const each of changes) await changeMembership(tx, past, each);
      }),
    );
  const isOpen = room.preset === 'public_chat';
  const arrive = (userId: string) => [
    ...(isOpen ? [] : [change(creator, userId, 'invite')]),
    ownChange(roomId, userId, 'join'),
  ];
  for (const each of room.members ?? []) await move(`${path}.members`, ...arrive(user(each)));
  for (const each of room.invited ?? []) await move(`${path}.invited`, change(creator, user(each), 'invite'));
  for (const [index, { type, state_key: stateKey = '', content, by }] of (room.state ?? []).entries()) {
    const sender = by === undefined ? creator : user(by);
    await at(`${path}.state.${index}`, () => sendEvent(past, roomId, { type, stateKey, content, sender }));
  }
  for (const each of room.knocking ?? [])
    await move(`${path}.knocking`, ownChange(roomId, user(each), 'knock'));
  for (const each of room.left ?? [])
    await move(`${path}.left`, ...arrive(user(each)), ownChange(roomId, user(each), 'leave'));
  for (const each of room.banned ?? []) await move(`${path}.banned`, change(creator, user(each), 'ban'));
  if (room.direct) {
    const everyone = [room.creator, ...(room.members ?? []), ...(room.invited ?? [])].map(user);
    await inTransaction(past.db, async (tx) => {
      for (const userId of everyone) {
        const key = { userId, type: 'm.direct' };
        const direct: JsonObject = { ...(await findAccountData(tx, key)) };
        for (const other of everyone.filter((each) => each !== userId)) {
          direct[other] = [...((direct[other] as string[] | undefined) ?? []), roomId];
        }
        await setAccountData(tx, key, JSON.stringify(direct));
      }
    });
  }
  for (const [index, message] of (room.messages ?? []).entries()) {
    for (let number = 1; number <= (message.times ?? 1); number++) {
      const eventId = await at(`${path}.messages.${index}`, () =>
        sendEvent(past, roomId, draftOf(message, number, { sender: user(message.by), events, world })),
      );
      if (message.id !== undefined) events[message.id] = eventId;
    }
  }
}

function requestOf(past: SeedContext, room: SeedRoom, world: World) {
  const { preset = 'private_chat', version = defaultVersion, power_levels: levels } = room;
  const creator = idOf(past, room.creator);
  const others = Object.entries(levels ?? {}).map(([name, level]) => [idOf(past, name), level] as const);
  // From room version 12 on, creators may not be listed.
  const own = rulesOf(version)?.hasPrivilegedCreators ? [] : [[creator, 100] as const];
  const state = [
    ...(room.avatar === undefined
      ? []
      : [{ type: 'm.room.avatar', state_key: '', content: { url: world.media[room.avatar] } }]),
    ...(room.encrypted
      ? [{ type: 'm.room.encryption', state_key: '', content: { algorithm: 'm.megolm.v1.aes-sha2' } }]
      : []),
  ];
  return {
    preset,
    room_version: version,
    ...(room.name !== undefined && { name: room.name }),
    ...(room.topic !== undefined && { topic: room.topic }),
    ...(room.alias !== undefined && { room_alias_name: room.alias }),
    ...(room.published && { visibility: 'public' }),
    ...(room.direct && { is_direct: true }),
    ...(levels && { power_level_content_override: { users: Object.fromEntries([...own, ...others]) } }),
    initial_state: state,
  };
}

/** Returns the event of a message. */
function draftOf(
  message: SeedMessage,
  number: number,
  { sender, events, world }: { sender: string; events: Record<string, string>; world: World },
): EventDraft {
  const event = (id = '') => events[id] ?? '';
  const { react, redact, edit, reason, type, state_key: stateKey } = message;
  if (redact !== undefined) {
    const content = { redacts: event(redact), ...(reason !== undefined && { reason }) };
    return { sender, type: 'm.room.redaction', content };
  }
  if (react !== undefined) {
    const relation = { rel_type: 'm.annotation', event_id: event(message.to), key: react };
    return { sender, type: 'm.reaction', content: { 'm.relates_to': relation } };
  }
  if (message.content !== undefined) {
    const { content } = message;
    return { sender, type: type ?? '', content, ...(stateKey !== undefined && { stateKey }) };
  }
  const own = textOf(message, number, world);
  if (edit === undefined) {
    return { sender, type: type ?? 'm.room.message', content: { ...own, ...relationOf(message, event) } };
  }
  const relation = { rel_type: 'm.replace', event_id: event(edit) };
  const content = { ...own, body: `* ${own.body}`, 'm.new_content': own, 'm.relates_to': relation };
  return { sender, type: 'm.room.message', content };
}

function textOf(message: SeedMessage, number: number, world: World): JsonObject {
  const numbered = (text: string) => text.replaceAll('{n}', `${number}`);
  const file = message.media === undefined ? undefined : described.get(world)?.get(message.media);
  if (file) {
    const [kind = ''] = file.type.split('/');
    const msgtype = ['image', 'audio', 'video'].includes(kind) ? `m.${kind}` : 'm.file';
    return { msgtype, body: file.name, url: world.media[message.media ?? ''], info: file.info };
  }
  const { text = '', html, msgtype = 'm.text' } = message;
  return {
    msgtype,
    body: numbered(text),
    ...(html !== undefined && { format: 'org.matrix.custom.html', formatted_body: numbered(html) }),
  };
}

function relationOf({ reply_to: replyTo, thread }: SeedMessage, event: (id?: string) => string): JsonObject {
  if (thread === undefined && replyTo === undefined) return {};
  const reply = { 'm.in_reply_to': { event_id: event(replyTo ?? thread) } };
  const inThread = {
    rel_type: 'm.thread',
    event_id: event(thread),
    is_falling_back: replyTo === undefined,
  };
  return { 'm.relates_to': { ...(thread !== undefined && inThread), ...reply } };
}

type SeedReport = NonNullable<Seed['reports']>[number];

async function addReport(
  past: SeedContext,
  { by, event, user, room, reason, score }: SeedReport,
  world: World,
): Promise<void> {
  const reporter = idOf(past, by);
  const roomIdOf = (name: string) => world.rooms[name]?.room_id ?? '';
  if (event !== undefined) {
    const slash = event.indexOf('/');
    const [name, id] = [event.slice(0, slash), event.slice(slash + 1)];
    const target = { roomId: roomIdOf(name), eventId: world.rooms[name]?.events[id] ?? '' };
    await reportEvent(past, reporter, target, { reason: reason ?? null, score: score ?? null });
  } else if (user !== undefined) await reportUser(past, reporter, idOf(past, user), reason ?? '');
  else if (room !== undefined) await reportRoom(past, reporter, roomIdOf(room), reason ?? '');
}

/** A media ID. */
const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

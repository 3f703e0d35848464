import type { BackedUpKey } from '../../../shared/api/key-backup.ts';
import * as schema from '../../../shared/api/key-backup.ts';
import { mapYielding } from '../../platform/concurrency/yield.ts';
import { invalidParameter, notFound } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type UserPolicy, user } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { streamJson } from '../../platform/http/send-json.ts';
import type { SessionName, StoredKey } from './backed-up-key-store.ts';
import {
  addKeys,
  type Change,
  createBackup,
  deleteBackup,
  readKeys,
  removeKeys,
  requireBackup,
  updateBackup,
} from './key-backup.ts';
import { type Backup, findLatestBackup } from './key-backup-store.ts';

const config = { policy: user };

/** A response may contain all keys of an account. */
const readingMany: UserPolicy = {
  ...user,
  concurrency: { name: 'key backup', perUser: 4, refusal: 'Too many concurrent key backup reads' },
};

export const keyBackupRoutes: Routes<{ db: Database }> = (app, { db }) => {
  app.post('/room_keys/version', { schema: schema.createBackup, config }, async ({ body, requester }) => {
    const { algorithm, auth_data: authData } = body;
    return { version: String(await createBackup(db, requester.userId, { algorithm, authData })) };
  });

  app.get('/room_keys/version', { schema: schema.getLatestBackup, config }, async ({ requester }) => {
    const backup = await findLatestBackup(db, requester.userId);
    if (!backup) throw notFound(noBackup);
    return asReply(backup);
  });

  const path = '/room_keys/version/:version';

  app.get(
    path,
    { schema: schema.getBackup, config },
    async ({ params: { version }, requester: { userId } }) =>
      asReply(await requireBackup(db, { userId, version }, noBackup)),
  );

  app.put(path, { schema: schema.updateBackup, config }, async ({ params, body, requester: { userId } }) => {
    const { version } = params;
    if ((body.version ?? version) !== version) throw invalidParameter('Version in body does not match');
    await updateBackup(db, { userId, version }, { algorithm: body.algorithm, authData: body.auth_data });
    return {};
  });

  app.delete(path, { schema: schema.deleteBackup, config }, async ({ params, requester: { userId } }) => {
    await deleteBackup(db, { userId, version: params.version });
    return {};
  });
};

export const backedUpKeyRoutes: Routes<{ db: Database }> = (app, { db }) => {
  const [all, ofRoom, ofSession] = [
    '/room_keys/keys',
    '/room_keys/keys/:roomId',
    '/room_keys/keys/:roomId/:sessionId',
  ] as const;

  app.put(all, { schema: schema.putAllKeys, config }, async ({ query, body, requester: { userId } }) => {
    const keys = Object.entries(body.rooms).flatMap(([roomId, { sessions }]) => inRoom(roomId, sessions));
    return asChange(await addKeys(db, { userId, ...query }, keys));
  });
  app.put(
    ofRoom,
    { schema: schema.putRoomKeys, config },
    async ({ params: { roomId }, query, body, requester: { userId } }) =>
      asChange(await addKeys(db, { userId, ...query }, inRoom(roomId, body.sessions))),
  );
  app.put(
    ofSession,
    { schema: schema.putSessionKey, config },
    async ({ params, query, body, requester: { userId } }) =>
      asChange(await addKeys(db, { userId, ...query }, [asStored(params, body)])),
  );

  app.get(
    all,
    { schema: schema.getAllKeys, config: { policy: readingMany } },
    async ({ query, requester: { userId } }, reply) => {
      const pages = await readKeys(db, { userId, ...query }, {});
      return streamJson(reply, roomsJson(pages));
    },
  );
  app.get(
    ofRoom,
    { schema: schema.getRoomKeys, config: { policy: readingMany } },
    async ({ params, query, requester: { userId } }, reply) => {
      const pages = await readKeys(db, { userId, ...query }, params);
      return streamJson(reply, sessionsJson(pages));
    },
  );
  app.get(
    ofSession,
    { schema: schema.getSessionKey, config },
    async ({ params, query, requester: { userId } }) => {
      for await (const [key] of await readKeys(db, { userId, ...query }, params)) if (key) return asKey(key);
      throw notFound('No room_keys found');
    },
  );

  app.delete(all, { schema: schema.deleteAllKeys, config }, async ({ query, requester: { userId } }) =>
    asChange(await removeKeys(db, { userId, ...query }, {})),
  );
  app.delete(
    ofRoom,
    { schema: schema.deleteRoomKeys, config },
    async ({ params, query, requester: { userId } }) =>
      asChange(await removeKeys(db, { userId, ...query }, params)),
  );
  app.delete(
    ofSession,
    { schema: schema.deleteSessionKey, config },
    async ({ params, query, requester: { userId } }) =>
      asChange(await removeKeys(db, { userId, ...query }, params)),
  );
};

const noBackup = 'No backup found';

const asReply = ({ algorithm, authData, count, etag, version }: Backup) => ({
  algorithm,
  auth_data: authData,
  count,
  etag: String(etag),
  version: String(version),
});

const asChange = ({ count, etag }: Change) => ({ count, etag: String(etag) });

const inRoom = (roomId: string, sessions: Record<string, BackedUpKey>): StoredKey[] =>
  Object.entries(sessions).map(([sessionId, key]) => asStored({ roomId, sessionId }, key));

const asStored = (name: SessionName, key: BackedUpKey): StoredKey => ({
  ...name,
  firstMessageIndex: key.first_message_index,
  forwardedCount: key.forwarded_count,
  isVerified: key.is_verified,
  sessionData: key.session_data,
});

const asKey = (key: StoredKey): BackedUpKey => ({
  first_message_index: key.firstMessageIndex,
  forwarded_count: key.forwardedCount,
  is_verified: key.isVerified,
  session_data: key.sessionData,
});

const sessionJson = (key: StoredKey) => `${JSON.stringify(key.sessionId)}:${JSON.stringify(asKey(key))}`;

async function* sessionsJson(pages: AsyncIterable<StoredKey[]>): AsyncGenerator<string> {
  let before = '{"sessions":{';
  for await (const keys of pages) {
    if (keys.length === 0) continue;
    yield before + (await mapYielding(keys, sessionJson)).join(',');
    before = ',';
  }
  yield before === ',' ? '}}' : `${before}}}`;
}

async function* roomsJson(pages: AsyncIterable<StoredKey[]>): AsyncGenerator<string> {
  let room: string | undefined;
  yield '{"rooms":{';
  for await (const keys of pages) {
    const texts = await mapYielding(keys, (key) => {
      const before = key.roomId === room ? ',' : `${room === undefined ? '' : '}},'}${roomJson(key.roomId)}`;
      room = key.roomId;
      return before + sessionJson(key);
    });
    yield texts.join('');
  }
  yield room === undefined ? '}}' : '}}}}';
}

const roomJson = (roomId: string) => `${JSON.stringify(roomId)}:{"sessions":{`;

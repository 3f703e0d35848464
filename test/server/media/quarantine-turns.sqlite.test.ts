/** Quarantining many files in one request doesn't delay other requests. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chunks } from '../../../server/platform/concurrency/yield.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import { isMatrix } from '../../matrix.ts';
import { type Reply, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { longestTurn, mostTurn } from '../longest-turn.ts';
import { makeRoom } from '../rooms/client.ts';

const admin = '/_service/admin/v1';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

/** Adds media rows for a user, as if uploaded and sent to a room; the tests don't download them. */
async function giveMedia(
  roomId: string,
  prefix: string,
  userId: string,
  count: number,
  sha256: (index: number) => string,
): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  await inTransaction(homeserver.services.db, async (tx) => {
    const event = await tx
      .selectFrom('events')
      .select('stream_ordering')
      .where('room_id', '=', roomId)
      .executeTakeFirstOrThrow();
    for (const chunk of chunks([...names.entries()], 1000)) {
      const media = chunk.map(([index, media_id]) => ({
        media_id,
        user_id: userId,
        content_type: 'text/plain',
        upload_name: null,
        size: 1,
        created_ts: index,
        sha256: sha256(index),
        quarantined_by: null,
        authenticated: 1,
      }));
      await tx.insertInto('media').values(media).execute();
      const named = chunk.map(([, media_id]) => ({
        ...event,
        room_id: roomId,
        server_name: 'localhost',
        media_id,
      }));
      await tx.insertInto('room_media').values(named).execute();
    }
  });
}

/** Returns the longest event loop turn during the request, and the reply. */
async function ask(path: string): Promise<{ turn: number; reply: Reply }> {
  let reply: Reply | undefined;
  const turn = await longestTurn(async () => {
    reply = await homeserver.as('admin').post(admin + path, {});
  });
  if (!reply) throw new Error('there is no reply');
  return { turn, reply };
}

test('all media of a user, then of a room', { timeout: 120_000 }, async () => {
  const many = isMatrix ? 30_000 : 10_000;
  const roomId = await makeRoom(homeserver.as('alice'));
  await giveMedia(roomId, 'a', '@alice:localhost', many, (index) => `alice ${index}`);
  await giveMedia(roomId, 'b', '@bob:localhost', many, (index) => `bob ${index}`);
  const ofUser = await ask('/user/@bob:localhost/media/quarantine');
  expect(ofUser.reply).toMatchObject({ status: 200, body: { num_quarantined: many } });
  expect(ofUser.turn).toBeLessThan(mostTurn);
  const ofRoom = await ask(`/room/${roomId}/media/quarantine`);
  expect(ofRoom.reply).toMatchObject({ status: 200, body: { num_quarantined: many } });
  expect(ofRoom.turn).toBeLessThan(mostTurn);
});

test('content that was uploaded very often', { timeout: 120_000 }, async () => {
  const often = isMatrix ? 60_000 : 20_000;
  await giveMedia(await makeRoom(homeserver.as('alice')), 'c', '@carol:localhost', often, () => 'the same');
  const by = async (mediaId: string) =>
    (await homeserver.as('admin').get(`${admin}/media/localhost/${mediaId}`)).body.media_info.quarantined_by;
  expect((await ask('/media/quarantine/localhost/c5')).turn).toBeLessThan(mostTurn);
  expect(await by(`c${often - 1}`)).toBe('@admin:localhost');
  expect((await ask('/media/unquarantine/localhost/c7')).turn).toBeLessThan(mostTurn);
  expect(await by('c5')).toBe(null);
  expect(await by(`c${often - 1}`)).toBe(null);
});

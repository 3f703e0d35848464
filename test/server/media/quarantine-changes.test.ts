/** Whoever reads the list of quarantine changes from where the last page ended gets every change. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../server/database/transaction.ts';
import { insertMedia } from '../../../server/media/media-store.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { upload } from './uploads.ts';

const media = '/_service/admin/v1/media';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

/** Gives a user media as if they had been uploaded; nobody downloads them. */
const giveMedia = (userId: string, count: number) =>
  inTransaction(homeserver.services.db, async (tx) => {
    for (let index = 0; index < count; index++) {
      await insertMedia(tx, {
        mediaId: `${userId.slice(1, 4)}${index}`,
        userId,
        contentType: 'text/plain',
        uploadName: null,
        size: 1,
        createdTs: 0,
        sha256: null,
        quarantinedBy: null,
        authenticated: true,
      });
    }
  });

test('no change is skipped that was committed late', async () => {
  const many = 3000;
  const admin = homeserver.as('admin');
  await giveMedia(homeserver.as('bob').userId, many);
  const single: string[] = [];
  for (let index = 0; index < 10; index++) single.push(await upload(homeserver, 'alice', `content ${index}`));

  let from = 0;
  const seen: string[] = [];
  const read = async () => {
    const { body } = await admin.get(`${media}/quarantine_changes?from=${from}`);
    from = body.next_batch;
    seen.push(...body.changes.map((change: { media_id: string }) => change.media_id));
    return body.changes.length as number;
  };

  // One long transaction, many short ones beside it, and somebody who reads all the while.
  let working = true;
  const long = admin.post('/_service/admin/v1/user/@bob:localhost/media/quarantine');
  const short = Promise.all(single.map((mediaId) => admin.post(`${media}/quarantine/localhost/${mediaId}`)));
  const reading = (async () => {
    while (working) await read();
  })();
  expect((await long).body).toEqual({ num_quarantined: many });
  expect((await short).every(({ status }) => status === 200)).toBe(true);
  working = false;
  await reading;
  while ((await read()) > 0);

  expect(seen).toHaveLength(many + single.length);
  expect(new Set(seen).size).toBe(many + single.length);
});

test('what repeats content that is being quarantined is quarantined with it', async () => {
  const admin = homeserver.as('admin');
  for (let round = 0; round < 5; round++) {
    const first = await upload(homeserver, 'alice', `repeated ${round}`);
    const [, ...others] = await Promise.all([
      admin.post(`${media}/quarantine/localhost/${first}`),
      ...[1, 2, 3, 4].map(() => upload(homeserver, 'carol', `repeated ${round}`)),
    ]);
    for (const mediaId of others) {
      const { body } = await admin.get(`${media}/localhost/${mediaId}`);
      expect(body.media_info.quarantined_by).not.toBe(null);
    }
  }
});

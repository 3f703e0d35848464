/** Clients that page through quarantine changes miss none. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertMedia } from '../../../server/identity/media/media-store.ts';
import { inTransaction } from '../../../server/platform/database/transaction.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { upload } from './uploads.ts';

const media = '/_service/admin/v1/media';

let homeserver: TestHomeserver;
beforeEach(async () => {
  homeserver = await startHomeserver();
});
afterEach(() => homeserver.remove());

/** Adds media rows for a user without uploading files; the tests don't download them. */
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

test('no change that was committed late is skipped', async () => {
  const many = 3000;
  const admin = homeserver.as('admin');
  await giveMedia(homeserver.as('bob').userId, many);
  const single = await Promise.all([1, 2, 3].map((index) => upload(homeserver, 'alice', `content ${index}`)));

  let from = 0;
  let seen = 0;
  const read = async () => {
    const { body } = await admin.get(`${media}/quarantine_changes?from=${from}`);
    from = body.next_batch;
    seen += body.changes.length;
    return body.changes.length as number;
  };

  // One long transaction, with short ones and a reader running at the same time.
  let working = true;
  let toggled = 0;
  const whileWorking = async (work: () => Promise<unknown>) => {
    while (working) await work();
  };
  const others = [
    whileWorking(read),
    ...single.map((mediaId) =>
      whileWorking(async () => {
        await admin.post(`${media}/quarantine/localhost/${mediaId}`);
        await admin.post(`${media}/unquarantine/localhost/${mediaId}`);
        toggled += 2;
      }),
    ),
  ];
  const long = await admin.post('/_service/admin/v1/user/@bob:localhost/media/quarantine');
  expect(long.body).toEqual({ num_quarantined: many });
  working = false;
  await Promise.all(others);
  while ((await read()) > 0);
  expect(seen).toBe(many + toggled);
});

test('copies of content being quarantined are quarantined with it', async () => {
  const admin = homeserver.as('admin');
  for (let round = 0; round < 20; round++) {
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

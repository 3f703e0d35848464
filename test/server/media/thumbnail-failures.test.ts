import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { startHomeserver } from '../homeserver.ts';
import { png } from './images.ts';
import { thumbnail, upload } from './uploads.ts';

test('an image that timed out once gets its thumbnails later', async () => {
  const clock = manualClock();
  const homeserver = await startHomeserver({ clock });
  const mediaId = await upload(homeserver, 'alice', png(2000, 1000));
  const ask = () => thumbnail(homeserver, 'bob', mediaId, 'width=96&height=96&method=crop');

  let waiting = true;
  const reply = ask().finally(() => {
    waiting = false;
  });
  // Thumbnails always time out before they're created.
  while (waiting) {
    clock.advance(20_000);
    await nextTurn();
  }
  const refused = await reply;
  expect({ status: refused.status, body: await refused.json() }).toMatchObject({
    status: 503,
    body: { errcode: 'M_UNKNOWN', retry_after_ms: expect.any(Number) },
  });
  expect(refused.headers.get('retry-after')).toBe('5');

  expect((await ask()).status).toBe(200);
  await homeserver.remove();
});

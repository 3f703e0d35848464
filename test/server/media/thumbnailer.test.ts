import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createThumbnailer, type ThumbnailTask } from '../../../server/media/thumbnailer.ts';
import { manualClock } from '../../manual-clock.ts';
import { png } from './pictures.ts';

let folder: string;
let task: ThumbnailTask;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-thumbnails-'));
  const path = join(folder, 'picture.png');
  await writeFile(path, png(2000, 1000));
  task = { path, size: { width: 32, height: 32, method: 'crop' }, maximumPixels: 2_000_000 };
});
afterAll(() => rm(folder, { recursive: true }));

test('what takes too long is given up, and the next one has its turn', async () => {
  const clock = manualClock();
  const thumbnailer = createThumbnailer(clock);
  const slow = [thumbnailer.make(task), thumbnailer.make(task)];
  const next = thumbnailer.make(task);
  clock.advance(15_000);
  expect(await Promise.all(slow)).toEqual([undefined, undefined]);
  expect(await next).toMatchObject({ contentType: 'image/png' });
  await thumbnailer.stop();
});

test('content that is gone has no thumbnail', async () => {
  const thumbnailer = createThumbnailer(manualClock());
  expect(await thumbnailer.make({ ...task, path: join(folder, 'nothing') })).toBeUndefined();
  await thumbnailer.stop();
});

test('too many at once are refused, and all that waits when the server stops', async () => {
  const thumbnailer = createThumbnailer(manualClock());
  const busy = { status: 429, errcode: 'M_LIMIT_EXCEEDED', details: { retry_after_ms: expect.any(Number) } };
  const waiting = Array.from({ length: 102 }, () => thumbnailer.make(task));
  const outcomes = Promise.allSettled(waiting);
  await expect(thumbnailer.make(task)).rejects.toMatchObject(busy);
  await thumbnailer.stop();
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: busy });
  await expect(thumbnailer.make(task)).rejects.toMatchObject(busy);
});

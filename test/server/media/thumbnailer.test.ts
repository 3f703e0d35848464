import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createThumbnailer, type ThumbnailTask } from '../../../server/media/thumbnailer.ts';
import { manualClock } from '../../manual-clock.ts';
import { png } from './pictures.ts';

let folder: string;
let task: ThumbnailTask;
const pixels = 2_000_000;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-thumbnails-'));
  const path = join(folder, 'picture.png');
  await writeFile(path, png(2000, 1000));
  task = { path, maximumPixels: pixels };
});
afterAll(() => rm(folder, { recursive: true }));

test('what takes too long is given up', async () => {
  const clock = manualClock();
  const thumbnailer = createThumbnailer(clock);
  const slow = [thumbnailer.make(task, pixels), thumbnailer.make(task, pixels)];
  clock.advance(15_000);
  expect(await Promise.all(slow)).toEqual([undefined, undefined]);
  const next = await thumbnailer.make(task, pixels);
  expect(next?.map(({ name, contentType }) => [name, contentType])).toEqual([
    ['32x32-crop', 'image/png'],
    ['96x96-crop', 'image/png'],
    ['320x240-scale', 'image/png'],
    ['640x480-scale', 'image/png'],
    ['800x600-scale', 'image/png'],
  ]);
  await thumbnailer.stop();
});

test('content that is gone has no thumbnail', async () => {
  const thumbnailer = createThumbnailer(manualClock());
  expect(await thumbnailer.make({ ...task, path: join(folder, 'nothing') }, pixels)).toBeUndefined();
  await thumbnailer.stop();
});

test('nothing is made when the server stops', async () => {
  const thumbnailer = createThumbnailer(manualClock());
  const busy = { status: 429, errcode: 'M_LIMIT_EXCEEDED', details: { retry_after_ms: expect.any(Number) } };
  const running = [thumbnailer.make(task, pixels), thumbnailer.make(task, pixels)];
  const outcomes = Promise.allSettled(running);
  await thumbnailer.stop();
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: busy });
  await expect(thumbnailer.make(task, pixels)).rejects.toMatchObject(busy);
});

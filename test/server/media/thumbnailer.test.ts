import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createThumbnailer, type ThumbnailTask } from '../../../server/identity/media/thumbnailer.ts';
import { manualClock } from '../../manual-clock.ts';
import { png } from './images.ts';

const log = { info() {}, warn() {}, error() {} };
const notNow = { status: 503, errcode: 'M_UNKNOWN', details: { retry_after_ms: expect.any(Number) } };

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

test('a timeout can be retried', async () => {
  const clock = manualClock();
  const thumbnailer = createThumbnailer(clock, log);
  const slow = Promise.allSettled([thumbnailer.create(task, pixels), thumbnailer.create(task, pixels)]);
  clock.advance(15_000);
  for (const outcome of await slow) expect(outcome).toMatchObject({ status: 'rejected', reason: notNow });
  const next = await thumbnailer.create(task, pixels);
  expect(next?.map(({ name, contentType }) => [name, contentType])).toEqual([
    ['32x32-crop', 'image/png'],
    ['96x96-crop', 'image/png'],
    ['320x240-scale', 'image/png'],
    ['640x480-scale', 'image/png'],
    ['800x600-scale', 'image/png'],
  ]);
  await thumbnailer.stop();
});

test('repeated timeouts are given up', async () => {
  const clock = manualClock();
  const thumbnailer = createThumbnailer(clock, log);
  const makeSlowly = () => {
    const outcome = thumbnailer.create(task, pixels);
    clock.advance(15_000);
    return outcome;
  };
  await expect(makeSlowly()).rejects.toMatchObject(notNow);
  await expect(makeSlowly()).rejects.toMatchObject(notNow);
  expect(await makeSlowly()).toBeUndefined();
  await thumbnailer.stop();
});

test("repeated failures of the environment don't reject the image", async () => {
  const thumbnailer = createThumbnailer(manualClock(), log);
  for (let count = 0; count < 4; count++) {
    // A folder can be opened but not read.
    await expect(thumbnailer.create({ ...task, path: folder }, pixels)).rejects.toMatchObject(notNow);
  }
  await thumbnailer.stop();
});

test('an invalid image is given up at once', async () => {
  const path = join(folder, 'text');
  await writeFile(path, 'hello');
  const thumbnailer = createThumbnailer(manualClock(), log);
  expect(await thumbnailer.create({ ...task, path }, pixels)).toBeUndefined();
  await thumbnailer.stop();
});

test('missing content has no thumbnail', async () => {
  const thumbnailer = createThumbnailer(manualClock(), log);
  await expect(thumbnailer.create({ ...task, path: join(folder, 'nothing') }, pixels)).rejects.toMatchObject({
    status: 404,
    errcode: 'M_NOT_FOUND',
  });
  await thumbnailer.stop();
});

test('nothing is generated while the server stops', async () => {
  const thumbnailer = createThumbnailer(manualClock(), log);
  const busy = { status: 429, errcode: 'M_LIMIT_EXCEEDED', details: { retry_after_ms: expect.any(Number) } };
  const running = [thumbnailer.create(task, pixels), thumbnailer.create(task, pixels)];
  const outcomes = Promise.allSettled(running);
  await thumbnailer.stop();
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: busy });
  await expect(thumbnailer.create(task, pixels)).rejects.toMatchObject(busy);
});

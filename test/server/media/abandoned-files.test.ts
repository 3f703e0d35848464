import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeAbandoned } from '../../../server/identity/media/media-files.ts';

let store: string;
beforeEach(async () => {
  store = await mkdtemp(join(tmpdir(), 'gatehouse-unfinished-'));
});
afterEach(() => rm(store, { recursive: true }));

test('two that start at once on one store may both tidy it up', async () => {
  const unfinished = join(store, 'unfinished');
  for (const mediaId of ['first', 'second']) {
    // Of another machine: only their age says that nobody writes them any more.
    const folder = join(unfinished, `${mediaId}.upload.elsewhere.1.run`);
    await mkdir(folder, { recursive: true });
    await utimes(folder, 0, 0);
  }
  const tidiedUpByAnother = async () => {
    await rm(unfinished, { recursive: true });
    return false;
  };
  await removeAbandoned(store, Date.now(), tidiedUpByAnother);
  expect(await readdir(store)).not.toContain('unfinished');
});

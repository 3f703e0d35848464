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

test('two servers starting on one store may both clean it up', async () => {
  const unfinished = join(store, 'unfinished');
  for (const mediaId of ['first', 'second']) {
    // From another machine, so only the folder's age shows that it's abandoned.
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

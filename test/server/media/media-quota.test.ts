/** A quota on the media disk only; PostgreSQL has its own disk. */
import { readdir } from 'node:fs/promises';
import { expect, inject, test } from 'vitest';
import { makeData } from '../database/data.ts';
import { signIn } from '../database/logged-in-user.ts';
import { makeFailingCalls } from '../failing-calls.ts';
import { serveWith } from '../gatehouse.ts';

test.runIf(inject('postgres'))(
  'uploads are refused while the quota is used up, and nothing else is',
  async ({ skip }) => {
    const quota = await makeFailingCalls('QUOTA_IS_USED_UP');
    if (!quota) return skip('there is no compiler to make such a disk with');
    const data = await makeData();
    const served = await serveWith(quota.options, ...data.source);
    const person = await signIn(served.url);
    const kept = await person.upload('kept');
    const address = (await person.post('/../../media/v1/create', {})).body.content_uri.split('/').at(-1);

    await quota.fail();
    expect(await person.fill(address, 'hello')).toBe(507);
    expect((await person.post('/createRoom', {})).status).toBe(200);
    expect(await person.download(kept)).toEqual({ status: 200, content: 'kept' });
    const names = await readdir(data.dataDir, { recursive: true });
    expect(names.filter((name) => name.includes('unfinished/'))).toEqual([]);

    await quota.succeed();
    expect(await person.fill(address, 'hello')).toBe(200);
    expect(await person.download(address)).toEqual({ status: 200, content: 'hello' });
    expect(await served.end('SIGTERM')).toBe(0);
    expect(await served.errors).toMatch(/ERROR PUT [^\n]*out of disk space/);
    await data.remove();
    await quota.remove();
  },
);

/** A data directory on a file system without hard links. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeData } from '../database/data.ts';
import { signIn } from '../database/logged-in-user.ts';
import { makeFailingCalls } from '../failing-calls.ts';
import { serveWith } from '../gatehouse.ts';

test('a server starts there and accepts uploads', async ({ skip }) => {
  const links = await makeFailingCalls('LINKS_FAIL');
  if (!links) return skip('there is no compiler to make such a file system with');
  await links.fail();
  const data = await makeData();
  const served = await serveWith(links.options, ...data.source);
  const person = await signIn(served.url);
  const mediaId = await person.upload('hello');
  expect(await person.download(mediaId)).toEqual({ status: 200, content: 'hello' });

  // A media ID takes one upload there too, even with concurrent attempts.
  const { body } = await person.post('/../../media/v1/create', {});
  const address = body.content_uri.replace('mxc://localhost/', '');
  const statuses = await Promise.all(['a', 'b', 'c'].map((content) => person.fill(address, content)));
  expect(statuses.toSorted()).toEqual([200, 409, 409]);

  expect(await served.end('SIGTERM')).toBe(0);
  const names = await readdir(data.dataDir, { recursive: true });
  expect(names.filter((name) => name.includes('unfinished/'))).toEqual([]);
  expect(await readFile(join(data.dataDir, 'signing.key'), 'utf8')).toMatch(/^ed25519 \w+ \S+\n$/);
  await data.remove();
  await links.remove();
});

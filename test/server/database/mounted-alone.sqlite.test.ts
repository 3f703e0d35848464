/** A SQLite file with a second name outside its directory, as with bind mounts in containers. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gatehouse, type Served, serve } from '../gatehouse.ts';

let place: string;
let mounted: string[];
let served: Served | undefined;
beforeEach(async () => {
  // A deliberately awkward name.
  place = await mkdtemp(join(tmpdir(), 'gatehouse "mounts" it\'s \\040 é '));
  mounted = [];
});
afterEach(async () => {
  await served?.end('SIGKILL');
  served = undefined;
  for (const target of mounted.reverse()) execFileSync('umount', ['--lazy', target]);
  await rm(place, { recursive: true });
});

/** @returns true if the current user may mount */
function mount(source: string, target: string): boolean {
  try {
    execFileSync('mount', ['--bind', source, target], { stdio: 'ignore' });
    mounted.push(target);
    return true;
  } catch {
    return false;
  }
}

const add = ['users', 'add', 'dora', '--password', 'p'];

/**
 * Returns a directory with a running server and one with only its database mounted. Returns undefined if mounting
 * isn't possible.
 */
async function mountAlone() {
  const [data, other] = [join(place, 'data'), join(place, 'other')];
  served = await serve('--data-dir', data);
  await mkdir(other);
  const [file, second] = [join(data, 'homeserver.db'), join(other, 'homeserver.db')];
  await writeFile(second, '');
  return mount(file, second) ? { data, other, file, second } : undefined;
}

test("a file mounted alone can't be opened under another name, and its server continues", async ({
  skip,
}) => {
  const made = await mountAlone();
  if (!made) return skip('this user may not mount a file');
  const { data, other, second } = made;
  const refusal = {
    code: 1,
    output: '',
    errors:
      `gatehouse: database.args.database: ${second} is mounted without its directory, so the WAL files ` +
      'next to it would not be shared and would be lost with the container; mount the directory instead of the file\n',
  };
  const link = join(place, 'link.db');
  await symlink(second, link);
  const config = join(place, 'linked.yaml');
  await writeFile(config, JSON.stringify({ database: { name: 'sqlite3', args: { database: link } } }));
  const backup = join(place, 'a.backup');
  for (const command of [add, ['serve', '--port', '0'], ['sample-data'], ['backup', backup]]) {
    expect(await gatehouse(...command, '--data-dir', other)).toEqual(refusal);
    const linked = await gatehouse(...command, '--config', config, '--data-dir', join(place, 'third'));
    expect(linked).toEqual({ ...refusal, errors: refusal.errors.replace('other/homeserver.db', 'link.db') });
  }
  expect(existsSync(backup)).toBe(false);
  expect(await gatehouse(...add, '--data-dir', data)).toMatchObject({ code: 0 });
});

test('it is served from its mounted directory too, also over an earlier mount', async ({ skip }) => {
  const made = await mountAlone();
  if (!made || !mount(made.data, made.other)) return skip('this user may not mount a file');
  const { data, other } = made;
  // Both paths are the same directory, which can have only one server.
  expect(await gatehouse('serve', '--port', '0', '--data-dir', other)).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^gatehouse: --data-dir: another homeserver is using .*\n$/),
  });
  expect(await gatehouse(...add, '--data-dir', other)).toMatchObject({ code: 0 });
  expect(await served?.end('SIGTERM')).toBe(0);
  served = await serve('--data-dir', other);
  expect(await gatehouse(...add, '--data-dir', data)).toMatchObject({
    code: 1,
    errors: 'gatehouse: User ID already taken.\n',
  });
});

/** A PostgreSQL of a test's own, for what would disturb the one that the other tests share. */
import { chmod, chown, cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresServer } from '../../postgres.ts';
import { freePort, loadEmbeddedPostgres } from '../../postgres.ts';

export type OwnPostgres = PostgresServer & {
  start(): Promise<void>;
  stop(): Promise<void>;
  remove(): Promise<void>;
};

/**
 * Starts one.
 *
 * @param settings of `postgresql.conf`
 * @param files that its settings name, by their names in its data directory
 */
export async function startOwnPostgres(
  settings: Record<string, string> = {},
  files: Record<string, string> = {},
): Promise<OwnPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-own-postgres-'));
  await chmod(directory, 0o755);
  const server = { host: '127.0.0.1', port: await freePort(), user: 'gatehouse', password: 'gatehouse' };
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const data = join(directory, 'data');
  const postgres = new EmbeddedPostgres({
    databaseDir: data,
    ...server,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    postgresFlags: Object.entries({ fsync: 'off', ...settings }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]),
    onLog: () => {},
    onError: () => {},
  });
  await postgres.initialise();
  const { uid, gid } = await stat(data);
  for (const [name, source] of Object.entries(files)) {
    const file = join(data, name);
    await cp(source, file);
    await chmod(file, 0o600);
    await chown(file, uid, gid);
  }
  await postgres.start();
  return {
    ...server,
    start: () => postgres.start(),
    stop: () => postgres.stop(),
    async remove() {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

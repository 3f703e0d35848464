import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { patience } from './test/patience.ts';
import { ProjectOrder } from './test/project-order.ts';
import {
  dependOnEngine,
  onBothEngines,
  onSqliteAlone,
  runsOnBothEngines,
  sampled,
} from './test/server/both-engines.ts';

/** Tests that write to the disk need not wait for it where there is enough memory to stand for one. */
const memory = '/dev/shm';
const roomNeeded = 2 * 1024 ** 3;
const hasMemoryDisk = () => {
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= roomNeeded;
};
const temporary = existsSync(memory) && hasMemoryDisk() ? memory : tmpdir();
const env: Record<string, string> = {
  TMPDIR: temporary,
  // What a test's programs compile to is kept for the next one, which reads much of the same TypeScript.
  NODE_COMPILE_CACHE: join(temporary, 'node-compile-cache'),
};

const project = (name: string, timeout: number, globalSetup: string[] = []) => ({
  extends: false as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    env,
    // More than there are cores: tests wait for programs, servers and browsers a third of the time. With yet more, a slow
    // computer keeps pages waiting until tests time out.
    maxWorkers: availableParallelism() + 1,
    testTimeout: timeout,
    expect: { poll: { timeout: patience } },
    hookTimeout: 60_000,
    globalSetup,
  },
});

/**
 * One whose files share the modules of their process: to load the server again for each file costs a third of the
 * run. Nothing in `server/` and `shared/` keeps anything for the process that a test could meet.
 */
const sharingModules = ({ test, ...rest }: ReturnType<typeof project>) => ({
  ...rest,
  test: { ...test, isolate: false },
});

/** Clients of others that talk to this server, on both engines. */
const clients = 'test/clients/**/*.test.ts';

const withCheapPasswords = ({ test, ...rest }: ReturnType<typeof sharingModules>) => ({
  ...rest,
  test: { ...test, setupFiles: 'test/server/cheap-passwords.ts' },
});

const ownTests = withCheapPasswords(sharingModules(project('server', 90_000, ['test/server/build.ts']))).test;
const onSqlite = {
  extends: false as const,
  test: { ...ownTests, include: [...ownTests.include, clients] },
};

/** The server's tests on a real PostgreSQL. */
const onPostgres = (name: string, folders: readonly string[], others: string[]) => ({
  extends: false as const,
  test: {
    ...onSqlite.test,
    name,
    include: folders
      .map((part) => (part.endsWith('.ts') ? `test/server/${part}` : `test/server/${part}/**/*.test.ts`))
      .concat(others),
    exclude: [`**/*${onSqliteAlone}`],
    globalSetup: [...onSqlite.test.globalSetup, 'test/postgres.ts'],
  },
});

const inFull = ({ test, ...rest }: typeof onSqlite) => ({
  ...rest,
  test: { ...test, env: { ...env, MATRIX: '1' } },
});

/** Every state of every screen, in other sizes, themes and languages. */
const screenVariants = 'test/renderer/screen-variants.test.ts';
const rendererTest = (name: string) => `test/renderer/${name}.test.ts`;
const console = withCheapPasswords(sharingModules(project('renderer', 180_000, ['test/build.ts'])));
const e2e = withCheapPasswords(sharingModules(project('e2e', 240_000, ['test/build.ts'])));

export default defineConfig({
  test: {
    sequence: { sequencer: ProjectOrder },
    projects: [
      sharingModules(project('shared', 90_000)),
      onSqlite,
      onPostgres('postgres', dependOnEngine, []),
      { ...console, test: { ...console.test, exclude: [screenVariants] } },
      sharingModules(project('electron', 180_000, ['test/build.ts', 'test/electron/build.ts'])),
      e2e,
      // What multiplies: `npm run test:matrix`.
      inFull({ ...onSqlite, test: { ...onSqlite.test, name: 'matrix-server', include: sampled() } }),
      inFull(
        onPostgres(
          'matrix-postgres',
          onBothEngines.filter((part) => !dependOnEngine.includes(part)),
          [clients, ...sampled().filter((file) => runsOnBothEngines(file.slice('test/server/'.length)))],
        ),
      ),
      {
        ...console,
        test: {
          ...console.test,
          name: 'matrix-renderer',
          include: [screenVariants, ...['actions', 'jobs', 'take-down', 'event-views'].map(rendererTest)],
          env: { ...env, MATRIX: '1', DIALECT: 'vendor' },
        },
      },
      {
        ...e2e,
        test: {
          ...e2e.test,
          name: 'matrix-e2e',
          include: ['homeservers', 'reports-volume', 'moderation', 'operations', 'reports'].map(
            (name) => `test/e2e/${name}.test.ts`,
          ),
          env: { ...env, MATRIX: '1', DIALECT: 'vendor' },
        },
      },
    ],
  },
});

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

/** Temporary files of tests are in memory if there is enough space. */
const memoryDisk = '/dev/shm';
const spaceNeeded = 2 * 1024 ** 3;
const hasSpace = () => {
  const { bavail, bsize } = statfsSync(memoryDisk);
  return bavail * bsize >= spaceNeeded;
};
const temporary = existsSync(memoryDisk) && hasSpace() ? memoryDisk : tmpdir();
const env: Record<string, string> = {
  TMPDIR: temporary,
  // Programs that tests start share a compile cache.
  NODE_COMPILE_CACHE: join(temporary, 'node-compile-cache'),
};

const project = (name: string, timeout: number, globalSetup: string[] = []) => ({
  extends: false as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    env,
    // One more than cores: tests wait for programs, servers and browsers a third of the time. More workers would make
    // tests time out on a slow computer.
    maxWorkers: availableParallelism() + 1,
    testTimeout: timeout,
    expect: { poll: { timeout: patience } },
    hookTimeout: 60_000,
    globalSetup,
  },
});

/**
 * Makes the test files of a process share modules: loading the server for each file would take a third of the run.
 * `server/` and `shared/` have no module state that could affect another test.
 */
const sharingModules = ({ test, ...rest }: ReturnType<typeof project>) => ({
  ...rest,
  test: { ...test, isolate: false },
});

/** Tests with other projects' clients, on both engines. */
const clients = 'test/clients/**/*.test.ts';

const withCheapPasswords = ({ test, ...rest }: ReturnType<typeof sharingModules>) => ({
  ...rest,
  test: { ...test, setupFiles: 'test/server/cheap-passwords.ts' },
});

const serverTests = withCheapPasswords(
  sharingModules(project('server', 90_000, ['test/server/build.ts'])),
).test;
const onSqlite = {
  extends: false as const,
  test: { ...serverTests, include: [...serverTests.include, clients] },
};

/** Runs server tests on PostgreSQL. */
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

const asMatrix = ({ test, ...rest }: typeof onSqlite) => ({
  ...rest,
  test: { ...test, env: { ...env, MATRIX: '1' } },
});

/** All states of all screens in other sizes, themes and languages. */
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
      // Combinations of variants: `npm run test:matrix`.
      asMatrix({ ...onSqlite, test: { ...onSqlite.test, name: 'matrix-server', include: sampled() } }),
      asMatrix(
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
          include: [
            screenVariants,
            ...['action-outcomes', 'actions', 'jobs', 'take-down', 'event-views'].map(rendererTest),
          ],
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

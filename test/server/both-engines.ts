import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tests that run on SQLite and again on PostgreSQL: those that reach a database over HTTP. */
export const onBothEngines = [
  'about',
  'accounts',
  'account-data',
  'login',
  'profiles',
  'registration',
  'sessions',
  'backup',
  'media',
  'reports',
  'room-administration',
  'rooms',
  'search',
  'previews',
  'encryption',
  'receipts',
  'presence',
  'typing',
  'thread-subscriptions',
  'notifications',
  'application-services',
  'sync',
  'sliding-sync',
  'tasks',
  'host',
  'http',
  'abuse.test.ts',
  'endpoints.test.ts',
  'database',
  'processes',
];

/**
 * Tests that `npm test` also runs on PostgreSQL because they depend on the engine. `npm run test:matrix` runs the
 * others.
 */
export const dependOnEngine = ['backup', 'database', 'processes', 'reports', 'tasks'];

/** File suffix of tests about SQLite's own files, or without a database. */
export const onSqliteAlone = '.sqlite.test.ts';

/** @param file test path below this folder */
export const runsOnBothEngines = (file: string) =>
  !file.endsWith(onSqliteAlone) && onBothEngines.some((part) => file === part || file.startsWith(`${part}/`));

const root = join(import.meta.dirname, '../..');

/** Returns the tests that `npm test` runs only in part. `npm run test:matrix` runs them in full. */
export const sampled = () =>
  globSync('test/server/**/*.test.ts', { cwd: root }).filter((file) =>
    /(matrix|kill-at-each-write)\.ts'/.test(readFileSync(join(root, file), 'utf8')),
  );

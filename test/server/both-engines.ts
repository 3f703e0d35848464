import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The tests that run on SQLite and once more on PostgreSQL: everything that reaches a database over HTTP. */
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

/** Those of them that `npm test` runs on PostgreSQL, too: what depends on the engine. The others are in `npm run test:matrix`. */
export const dependOnEngine = ['backup', 'database', 'processes', 'reports', 'tasks'];

/** How the name of a test ends that is about SQLite's own files, or about what a database has no part in. */
export const onSqliteAlone = '.sqlite.test.ts';

/** @param file a test's path below this folder */
export const runsOnBothEngines = (file: string) =>
  !file.endsWith(onSqliteAlone) && onBothEngines.some((part) => file === part || file.startsWith(`${part}/`));

const root = join(import.meta.dirname, '../..');

/** Tests of which `npm test` runs a sample; `npm run test:matrix` runs them in full. */
export const sampled = () =>
  globSync('test/server/**/*.test.ts', { cwd: root }).filter((file) =>
    /(matrix|until-whole)\.ts'/.test(readFileSync(join(root, file), 'utf8')),
  );

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

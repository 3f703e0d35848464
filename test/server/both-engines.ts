/** The tests that run on SQLite and once more on PostgreSQL: everything that reaches a database over HTTP. */
export const onBothEngines = [
  'about',
  'accounts',
  'directory',
  'media',
  'reports',
  'room-administration',
  'rooms',
  'tasks',
  'http',
  'abuse.test.ts',
  'endpoints.test.ts',
  'database',
];

/** @param file a test's path below this folder */
export const runsOnBothEngines = (file: string) =>
  onBothEngines.some((part) => file === part || file.startsWith(`${part}/`));

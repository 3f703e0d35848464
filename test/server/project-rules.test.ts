/** Project structure checks of `npm run check`, tested on files that break them. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const biome = join(root, 'node_modules/.bin/biome');

const directories: string[] = [];
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));

/** Returns the findings in these files by the project's own rules, as file and line. */
async function findings(files: Record<string, string>): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-house-'));
  directories.push(directory);
  const { files: _, vcs: __, ...rules } = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8'));
  await writeFile(join(directory, 'biome.json'), JSON.stringify(rules));
  for (const plugin of rules.plugins as string[]) {
    await mkdir(dirname(join(directory, plugin)), { recursive: true });
    await cp(join(root, plugin), join(directory, plugin));
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  const report = await new Promise<string>((done) => {
    const given = ['lint', '--reporter=github', '--max-diagnostics=none', '--colors=off', '.'];
    execFile(biome, given, { cwd: directory }, (_error, out) => done(out));
  });
  const found = report.matchAll(/^::\w+ title=(?<rule>[^,]*),file=(?<file>[^,]*),line=(?<line>\d+)/gm);
  const planted = [...found].map(({ groups }) => groups as { rule: string; file: string; line: string });
  return planted
    .filter(({ rule }) => /plugin|noImportCycles|noRestrictedImports/.test(rule))
    .map(({ file, line }) => `${relative(directory, file)}:${line}`);
}

const lines = (...text: string[]) => `${text.join('\n')}\n`;

test.each<[string, string, string]>([
  ['from a tier', 'server/identity/a.ts', "import { b } from '../conversation/b.ts';"],
  ['from a feature', 'server/identity/media/a.ts', "import { b } from '../../conversation/rooms/b.ts';"],
  ['of a type', 'server/platform/http/a.ts', "import type { B } from '../../identity/media/b.ts';"],
  ['of a type, where it is used', 'server/platform/a.ts', "export type B = import('../identity/b.ts').B;"],
  ['at run time', 'server/platform/a.ts', "export const b = () => import('../administration/b.ts');"],
  ['that is exported again', 'server/conversation/a.ts', "export * from '../administration/b.ts';"],
  ['of what a screen is made of', 'renderer/api/a.ts', "import { b } from '../components/b.ts';"],
  ['of a feature', 'renderer/subjects/media/a.ts', "export const b = () => import('../../features/b/b.ts');"],
  ['of the app', 'server/administration/a/b.ts', "import type { Services } from '../../app/services.ts';"],
])('an import in the wrong direction: %s', async (_, file, text) => {
  expect(await findings({ [file]: lines(text) })).toContain(`${file}:1`);
});

test('allowed imports are accepted', async () => {
  const files = {
    'server/conversation/rooms/a.ts': lines(
      "export * from '../sync/state.ts';",
      "export * from '../../identity/accounts/users.ts';",
      "export * from '../../../shared/push/rules.ts';",
    ),
    'server/app/commands/a.ts': lines("export * from '../services.ts';"),
    'server/app/services.ts': lines("export * from '../administration/backup/write.ts';"),
    'renderer/features/a/a.ts': lines(
      "export * from '../../components/b.ts';",
      "export * from '../../context.ts';",
    ),
    'test/server/platform/a.ts': lines("export * from '../app/b.ts';"),
  };
  expect(await findings(files)).toEqual([]);
});

test.each<[string, string, string]>([
  ['of values', "import { b } from './b.ts';\nexport const a = b;", "export { a as b } from './a.ts';"],
  ['of types', "export type { B } from './b.ts';", "import type { B } from './a.ts';\nexport type C = B;"],
  [
    'of types, where they are used',
    "export type A = import('./b.ts').B;",
    "export type { A as B } from './a.ts';",
  ],
])('an import cycle %s', async (_, a, b) => {
  const folders = ['server/identity', 'renderer', 'shared', 'electron'];
  const files = folders.flatMap((folder) => [
    [`${folder}/a.ts`, lines(a)],
    [`${folder}/b.ts`, lines(b)],
  ]);
  const found = await findings(Object.fromEntries(files));
  for (const folder of folders) expect(found).toContain(`${folder}/a.ts:1`);
});

test('SQL outside of stores', async () => {
  const sql = lines(
    "import { sql } from 'kysely';",
    "export const a = (db) => db.selectFrom('users').execute();",
    "export const b = (tx) => tx.deleteFrom('users').execute();",
    'export const c = (db) => sql`select 1`.execute(db);',
  );
  const found = ['1', '2', '3'];
  const inFiles = (...names: string[]) => names.flatMap((name) => found.map((line) => `${name}:${line}`));
  expect(
    (
      await findings({
        'server/conversation/rooms/a.ts': sql,
        'server/conversation/rooms/a-store.ts': sql,
        'server/platform/database/a.ts': sql,
        'test/server/rooms/a.test.ts': sql,
      })
    ).sort(),
  ).toEqual(inFiles('server/conversation/rooms/a.ts'));
});

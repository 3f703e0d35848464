/** Builds what is missing or older than what it is made of. */
import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const projectRoot = join(import.meta.dirname, '../..');

const sources = ['electron', 'renderer', 'server', 'shared'].map((folder) => `${folder}/**/*`);
const settings = ['vite.config.ts', 'lingui.config.ts', 'package-lock.json'];
const results = [
  'dist/renderer/index.html',
  'dist/electron/main.js',
  'dist/electron/homeserver-child.js',
  'dist/electron/preload.cjs',
  'dist/server/cli.js',
];

/** @throws Error with what the build said, where it fails */
export function buildWhatIsMissing(say: (line: string) => void): void {
  const oldestResult = Math.min(...results.map(changedAt));
  const newestSource = Math.max(...globSync([...sources, ...settings], { cwd: projectRoot }).map(changedAt));
  if (oldestResult > newestSource) return;
  say(oldestResult === 0 ? 'Building the console.' : 'Building the console again: its sources changed.');
  const vite = join(projectRoot, 'node_modules/vite/bin/vite.js');
  // Whoever builds may be a test run, whose NODE_ENV would make it a development build.
  const env = { ...process.env, NODE_ENV: 'production' };
  const options = { cwd: projectRoot, encoding: 'utf8' as const, env };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vite, 'build', '--logLevel', 'warn'],
    options,
  );
  if (status !== 0) throw new Error(`The build failed:\n${stdout}${stderr}`);
}

/** 0 for what is not there. */
function changedAt(path: string): number {
  return statSync(join(projectRoot, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

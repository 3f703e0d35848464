/**
 * Kills a program at every point where it changes a file, until it completes. `npm test` uses a sample of the points.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { isMatrix } from '../matrix.ts';
import { ending } from './gatehouse.ts';

const killer = pathToFileURL(join(import.meta.dirname, 'kill-at.ts')).href;
const atOnce = 2;
/** PostgreSQL has only a few points. */
const step = isMatrix || inject('postgres') ? 1 : 4;

/**
 * @param before calls before which to kill the program
 * @param program returns the Node arguments and the changed folder for each point
 * @param look runs after the program exits, with the point's number; `isWhole` is true if it completed
 * @returns number of points
 */
export async function killedEverywhere(
  before: readonly ('rename' | 'rm' | 'createWriteStream')[],
  program: (point: number) => Promise<{ args: string[]; below: string }>,
  look: (point: number, isWhole: boolean) => Promise<void>,
): Promise<number> {
  let last = Number.POSITIVE_INFINITY;
  let next = 1;
  const one = async () => {
    for (let point = next; point <= last; point = next) {
      next += step;
      const { args, below } = await program(point);
      const env = { ...process.env, KILL_BELOW: below, KILL_BEFORE: before.join(), KILL_AT: String(point) };
      const child = spawn(process.execPath, ['--import', killer, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env,
      });
      const { code, errors } = await ending(child);
      if (code !== null && code !== 0) throw new Error(`at point ${point} it ended with ${code}: ${errors}`);
      if (code === 0) last = Math.min(last, point - 1);
      await look(point, code === 0);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return last;
}

/** Returns the hashes of a folder's files by path, without lock files, which don't matter. */
export async function filesOf(folder: string): Promise<Record<string, string>> {
  if (!existsSync(folder)) return {};
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.includes('.lock'));
  return Object.fromEntries(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        const digest = createHash('sha256').update(await readFile(path));
        return [path.slice(folder.length + 1), digest.digest('hex')];
      }),
    ),
  );
}

/** Kills a program at every point where it changes a file, in `npm test` at some of them, until it completes. */
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
/** On PostgreSQL there are only a few points. */
const step = isMatrix || inject('postgres') ? 1 : 4;

/**
 * @param before the calls that are such points
 * @param program what is run for each point: its arguments for Node, and the folder in which it changes files
 * @param look is called when it has gone, with the number of the point; `isWhole` where it came to its end
 * @returns how many points there are
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

/** Which files there are in a folder and what they hold; locks, which mean nothing, left out. */
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

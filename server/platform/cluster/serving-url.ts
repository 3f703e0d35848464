/** The URL of the server that serves a data directory, for commands on the same directory. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../../shared/is-object.ts';
import { readJson } from '../../../shared/read-json.ts';
import { isRunning } from '../core/process.ts';

export const servingUrlName = 'serving.json';

/** Returns the function that removes the note. Without disk space there is none. */
export function noteServingUrl(dataDir: string, url: string): () => void {
  const file = join(dataDir, servingUrlName);
  const remove = () => rmSync(file, { force: true });
  try {
    // Not through a link that someone put there.
    remove();
    writeFileSync(file, JSON.stringify({ url, pid: process.pid }), { mode: 0o600, flag: 'wx' });
  } catch {
    return () => {};
  }
  return remove;
}

/** Returns undefined if no server serves the directory on this computer. */
export function findServingUrl(dataDir: string): string | undefined {
  try {
    const note: unknown = readJson(readFileSync(join(dataDir, servingUrlName), 'utf8'));
    if (!isObject(note) || typeof note.url !== 'string' || typeof note.pid !== 'number') return undefined;
    return isRunning(note.pid) ? note.url : undefined;
  } catch {
    return undefined;
  }
}

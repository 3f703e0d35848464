import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory, and those above it, where they are missing; gives the first that it made. Node's own way tries for
 * ever where a directory is there and takes none, as `/proc` does: the first missing one is made by itself.
 *
 * @throws what the system says, of this directory
 */
export function makeDirectory(directory: string, mode: number): string | undefined {
  if (existsSync(directory)) return mkdirSync(directory, { recursive: true, mode });
  let missing = directory;
  while (!existsSync(dirname(missing))) missing = dirname(missing);
  try {
    mkdirSync(missing, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw Object.assign(error as Error, { path: directory });
  }
  mkdirSync(directory, { recursive: true, mode });
  return missing;
}

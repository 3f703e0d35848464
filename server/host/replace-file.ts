import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Whoever is killed on the way has one of both, whole. It may hold secrets. */
export async function replaceFile(file: string, content: string | Uint8Array): Promise<void> {
  const next = `${file}.next`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(next, content, { mode: 0o600, flush: true });
    await rename(next, file);
  } catch (error) {
    // Half of it takes room on a disk that has none left.
    await rm(next, { force: true }).catch(() => {});
    throw error;
  }
}

/** Replaces an AppImage with its update. */
import { createHash } from 'node:crypto';
import { createReadStream, realpathSync, statSync } from 'node:fs';
import { access, constants, copyFile, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { app } from 'electron';
import { isAnotherRunning } from '../../server/platform/core/process.ts';

/**
 * Checks that a file is unchanged since its download.
 *
 * @param sha512 in base64
 * @throws Error if it doesn't match or can't be read
 */
export async function requireSum(file: string, sha512: string): Promise<void> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  if (hash.digest('base64') !== sha512) throw new Error(`Checksum mismatch: ${file}`);
}

/**
 * The AppImage that this app runs from; undefined if installed in another way. Child processes of an AppImage inherit
 * its variables, so this app has to be inside its mount.
 */
export function appImage(): string | undefined {
  const { APPIMAGE, APPDIR } = process.env;
  if (!app.isPackaged || !APPIMAGE || !APPDIR || !isAbsolute(APPIMAGE)) return undefined;
  try {
    // The path as written by the AppImage runtime, and as resolved by the system.
    const [folder, own] = [realpathSync(APPDIR), realpathSync(process.resourcesPath)];
    return own.startsWith(`${folder}${sep}`) ? APPIMAGE : undefined;
  } catch {
    return undefined;
  }
}

/** Identifies a file, to detect a replacement; empty if it doesn't exist. */
export function stampOf(file: string): string {
  try {
    const { size, mtimeMs } = statSync(file);
    return `${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}

/** Whether a file can probably be replaced. */
export async function isReplaceable(file: string): Promise<boolean> {
  try {
    const own = await realpath(file);
    await access(dirname(own), constants.W_OK);
    return (await stat(own)).isFile();
  } catch {
    return false;
  }
}

/**
 * Replaces a file atomically under its name, which autostart and links use; for a link, replaces its target.
 *
 * @param sha512 of the download, in base64
 * @param stamp of the file to replace
 * @throws Error if that fails or another program has replaced the file, which then stays unchanged
 */
export async function putInPlace(
  download: string,
  sha512: string,
  file: string,
  stamp: string,
): Promise<void> {
  const own = await realpath(file);
  if (stampOf(own) !== stamp) throw new Error(`${file} was changed by another program`);
  await removeAbandoned(own);
  const next = nextTo(own, process.pid);
  try {
    const mode = ((await stat(own)).mode & 0o7777) | 0o100;
    await copyFile(download, next, constants.COPYFILE_EXCL);
    await requireSum(next, sha512);
    await makeStay(next, mode);
    await rename(next, own);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  // It is installed, even if this fails.
  await rm(download, { force: true }).catch(() => {});
}

const nextTo = (file: string, pid: number) => join(dirname(file), `.${basename(file)}.${pid}.new`);

/** Deletes files of apps that were killed while they installed an update. */
async function removeAbandoned(file: string): Promise<void> {
  for (const name of await readdir(dirname(file))) {
    const pid = Number(/\.(\d+)\.new$/.exec(name)?.[1]);
    const left = nextTo(file, pid);
    if (basename(left) === name && !isAnotherRunning(pid)) await rm(left);
  }
}

async function makeStay(file: string, mode: number): Promise<void> {
  await using handle = await open(file, 'r+');
  // Some file systems don't support modes.
  if (((await handle.stat()).mode & 0o7777) !== mode) await handle.chmod(mode);
  await handle.sync();
}

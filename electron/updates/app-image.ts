/** Whether a file is still what was downloaded. */
import { createHash } from 'node:crypto';
import { createReadStream, realpathSync, statSync } from 'node:fs';
import { access, constants, copyFile, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { app } from 'electron';
import { isAnotherRunning } from '../../server/platform/core/process.ts';

/**
 * @param sha512 in base64
 * @throws Error where the file has another sum, or can't be read
 */
export async function requireSum(file: string, sha512: string): Promise<void> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  if (hash.digest('base64') !== sha512) throw new Error(`Checksum mismatch: ${file}`);
}

/** A program for Linux in one file of the person's own, and how an update takes that file's place. */

/**
 * The file that this app runs from; undefined where it was installed in another way. Whatever is started from an
 * AppImage, a terminal for example, says the same to what it starts: so this app has to be in what was unpacked.
 */
export function appImage(): string | undefined {
  const { APPIMAGE, APPDIR } = process.env;
  if (!app.isPackaged || !APPIMAGE || !APPDIR || !isAbsolute(APPIMAGE)) return undefined;
  try {
    // The one as its runtime writes it, the other as the system knows it.
    const [folder, own] = [realpathSync(APPDIR), realpathSync(process.resourcesPath)];
    return own.startsWith(`${folder}${sep}`) ? APPIMAGE : undefined;
  } catch {
    return undefined;
  }
}

/** What tells a file from another that was put in its place; empty where there is none that can be seen. */
export function stampOf(file: string): string {
  try {
    const { size, mtimeMs } = statSync(file);
    return `${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}

/** Whether another file can take the place of one, as far as can be told without doing it. */
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
 * Puts a download in the place of a file, under its name, which autostart and a person's own links know; of a link, in
 * the place of what it leads to. Whatever happens, the one or the other stands there as a whole.
 *
 * @param sha512 that it has, in base64
 * @param stamp of the file that is replaced
 * @throws Error where it can't, or where that is another file by now; what was there is there then
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
    const wanted = ((await stat(own)).mode & 0o7777) | 0o100;
    await copyFile(download, next, constants.COPYFILE_EXCL);
    await requireSum(next, sha512);
    await makeStay(next, wanted);
    await rename(next, own);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  // It is in place, whatever becomes of this.
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
  // Some file systems know no modes, and refuse to have them changed.
  if (((await handle.stat()).mode & 0o7777) !== mode) await handle.chmod(mode);
  await handle.sync();
}

/** A program for Linux in one file of the person's own, and how an update takes that file's place. */
import { createHash } from 'node:crypto';
import { createReadStream, realpathSync } from 'node:fs';
import { access, constants, copyFile, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { app } from 'electron';

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

/** Whether another file can take the place of one. */
export async function isReplaceable(file: string): Promise<boolean> {
  try {
    await access(dirname(file), constants.W_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/**
 * Puts a download in the place of a file, under its name, which autostart and a person's own links know. Whatever
 * happens, the one or the other stands there as a whole.
 *
 * @param sums the SHA-512 that it may have, in base64
 * @throws Error where it can't; what was there is there then
 */
export async function putInPlace(download: string, sums: readonly string[], file: string): Promise<void> {
  const next = join(dirname(file), `.${basename(file)}.${process.pid}.new`);
  try {
    const { mode } = await stat(file);
    await rm(next, { force: true });
    await copyFile(download, next, constants.COPYFILE_EXCL);
    const hash = createHash('sha512');
    await pipeline(createReadStream(next), hash);
    if (!sums.includes(hash.digest('base64'))) throw new Error(`${download} is not what was downloaded`);
    const handle = await open(next, 'r+');
    await handle.chmod(mode | 0o100);
    await handle.sync();
    await handle.close();
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  // It is in place, whatever becomes of this.
  await rm(download, { force: true }).catch(() => {});
}

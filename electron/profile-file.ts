/** A file of the profile, as an earlier start left it, or as something else did. */
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { ConnectionFailure } from '../shared/connection.ts';

/**
 * What stands in it; `absent` where there is none. One that is there and can't be read is set aside.
 *
 * @throws ConnectionFailure as `setAside`
 */
export function readProfileFile(path: string): Buffer | 'absent' | 'set-aside' {
  try {
    return readFileSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'absent';
    setAside(path);
    return 'set-aside';
  }
}

/** Where a file goes that nobody understands: the first that is free, or else the last. */
export const placesAside = (path: string): string[] =>
  ['', '-2', '-3', '-4', '-5'].map((number) => `${path}.unreadable${number}`);

/**
 * Puts a file out of the way that nobody understands, and keeps it for whoever does.
 *
 * @throws ConnectionFailure where it stays where it is: to go on would be to write over it
 */
export function setAside(path: string): void {
  try {
    const places = placesAside(path);
    renameSync(path, places.find((place) => !existsSync(place)) ?? places.at(-1) ?? path);
  } catch (error) {
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ "Gatehouse can't read or rename {path} ({reason}). Move the file, or start with another data folder: --user-data-dir=FOLDER",
      { path, reason: codeOf(error) },
    );
  }
}

/** @throws ConnectionFailure where nothing can be kept in the folder; whoever starts the app would see nothing of it */
export function requireFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ "Gatehouse can't write to {path} ({reason}). Allow write access, or start with another data folder: --user-data-dir=FOLDER",
      { path, reason: codeOf(error) },
    );
  }
}

const codeOf = (error: unknown): string =>
  `${error instanceof Error && 'code' in error ? error.code : error}`;

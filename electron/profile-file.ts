/** Reads and sets aside files of the profile. */
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { ConnectionFailure } from '../shared/connection.ts';

/**
 * Returns the content, or `absent` if the file doesn't exist. Sets an unreadable file aside.
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

/** Path for an invalid file: the first free one, or else the last. */
export const placesAside = (path: string): string[] =>
  ['', '-2', '-3', '-4', '-5'].map((number) => `${path}.unreadable${number}`);

/**
 * Moves an invalid file aside and keeps it.
 *
 * @throws ConnectionFailure if it can't be moved, because continuing would overwrite it
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

/** @throws ConnectionFailure if the folder isn't writable, because changes would be lost silently */
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

/** That nobody opens a SQLite file by a second name. */
import { closeSync, openSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigurationError } from '../config/configuration-error.ts';

/**
 * What was changed last stands in files that have their names from the database's: of two names for one file, each
 * would have its own, and whoever opens it by one of them writes over what came by the other.
 *
 * @throws ConfigurationError
 */
export function requireOneName(file: string): void {
  if (statSync(file).nlink > 1) {
    throw new ConfigurationError(
      'database.args.database',
      `${file} has a second hard link; using both would corrupt the database`,
      'remove the other link or replace it with a copy',
    );
  }
  if (isMountedAlone(realpathSync(file))) {
    throw new ConfigurationError(
      'database.args.database',
      `${file} is mounted without its directory, so the WAL files next to it would not be shared ` +
        'and would be lost with the container',
      'mount the directory instead of the file',
    );
  }
}

/** Whether a file is on another mount than its directory. @param file no symbolic link */
function isMountedAlone(file: string): boolean {
  if (process.platform !== 'linux') return false;
  return mountOf(file) !== mountOf(dirname(file));
}

/**
 * Which mount a path leads to, as the system numbers them; undefined where it doesn't tell. The list of all mounts has
 * also those that another has been mounted over since.
 */
function mountOf(path: string): string | undefined {
  const place = openSync(path, withoutOpening);
  try {
    return /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${place}`, 'utf8'))?.[1];
  } catch {
    // There is no such place, or older systems keep it from programs with rights of their own.
    return undefined;
  } finally {
    closeSync(place);
  }
}

/** Linux's `O_PATH`: to close a file that was really opened would end this process's locks on it. */
const withoutOpening = 0o10_000_000;

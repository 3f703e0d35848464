/** Checks of database files: one path per file, and no access for other users. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ConfigurationError } from '../../config/configuration-error.ts';
import { makeDirectory } from '../../core/files.ts';

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

/** Directories and files that hold data: readable by nobody but the server's own user. */

/**
 * Makes a directory, and those above it, where they are missing; gives the first that it made.
 *
 * @param setting what names the directory, for the error
 * @throws ConfigurationError where that can't be done
 */
export function makePrivateDirectory(directory: string, setting: string): string | undefined {
  try {
    return makeDirectory(directory, 0o700);
  } catch (error) {
    throw notMade(directory, setting, codeOf(error));
  }
}

/**
 * The same for an empty file. One that is there already is looked at and not opened, which could end another's
 * locks on it.
 */
export function makePrivateFile(file: string, setting: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw notMade(file, setting, codeOf(error));
  }
  const why = whyUnusable(file);
  if (why !== undefined) throw unusable(file, setting, why);
}

function whyUnusable(file: string): string | undefined {
  try {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return 'not a regular file';
    // SQLite would open a file that it may only read, and fail at the first change.
    accessSync(file, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

/** @param setting what names the place */
export const unusable = (place: string, setting: string, why: string) =>
  new ConfigurationError(setting, `can't read and write ${place} (${why})`, wayOutOf(why));

const notMade = (place: string, setting: string, why: string) =>
  new ConfigurationError(setting, `can't create ${place} (${why})`, wayOutOf(why));

const wayOutOf = (why: string) =>
  why === 'ELOOP'
    ? 'remove the circular symbolic links or choose another path'
    : 'choose a path that this user can write to, or change its permissions';

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error);

/** What to tell the administrator of directories and files that other users of the machine can get at. */
export function warnOfWidePermissions(paths: string[]): string[] {
  if (process.platform === 'win32') return [];
  return paths
    .filter((path) => existsSync(path))
    .flatMap((path) => {
      const status = statSync(path);
      if ((status.mode & 0o077) === 0) return [];
      const mode = (status.mode & 0o777).toString(8).padStart(4, '0');
      const narrow = status.isDirectory() ? '700' : '600';
      return [`other users of this computer can access ${path} (mode ${mode}); run chmod ${narrow} ${path}`];
    });
}

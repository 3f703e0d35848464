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
import { createDirectory } from '../../core/files.ts';

/**
 * Refuses a file with a second path. The names of the WAL files derive from the path, so each path would have its own, and
 * writes through one would overwrite those through the other.
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

/** Whether a file is on another mount than its directory. @param file not a symbolic link */
function isMountedAlone(file: string): boolean {
  if (process.platform !== 'linux') return false;
  return mountOf(file) !== mountOf(dirname(file));
}

/**
 * Returns the ID of a path's mount; undefined if unavailable. The system's list of mounts isn't enough, as it includes
 * hidden mounts.
 */
function mountOf(path: string): string | undefined {
  const descriptor = openSync(path, pathOnly);
  try {
    return /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1];
  } catch {
    // Without /proc, or on older systems for a process with capabilities.
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Linux's `O_PATH`. Closing a file that was opened otherwise would release this process's locks on it. */
const pathOnly = 0o10_000_000;

/**
 * Creates a directory and its missing parents, for this user only. Returns the topmost one that it created.
 *
 * @param setting the setting that names the directory
 * @throws ConfigurationError
 */
export function createPrivateDirectory(directory: string, setting: string): string | undefined {
  try {
    return createDirectory(directory, 0o700);
  } catch (error) {
    throw notCreated(directory, setting, codeOf(error));
  }
}

/**
 * Creates an empty file for this user only, if it doesn't exist. Doesn't open an existing one: closing it could release locks.
 *
 * @throws ConfigurationError
 */
export function createPrivateFile(file: string, setting: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw notCreated(file, setting, codeOf(error));
  }
  const why = whyUnusable(file);
  if (why !== undefined) throw unusable(file, setting, why);
}

function whyUnusable(file: string): string | undefined {
  try {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return 'not a regular file';
    // SQLite opens read-only files, and then fails at the first write.
    accessSync(file, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

/** @param setting the setting that names the path */
export const unusable = (path: string, setting: string, why: string) =>
  new ConfigurationError(setting, `can't read and write ${path} (${why})`, wayOutOf(why));

const notCreated = (path: string, setting: string, why: string) =>
  new ConfigurationError(setting, `can't create ${path} (${why})`, wayOutOf(why));

const wayOutOf = (why: string) =>
  why === 'ELOOP'
    ? 'remove the circular symbolic links or choose another path'
    : 'choose a path that this user can write to, or change its permissions';

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error);

/** Returns warnings about files and directories that other users of the computer can access. */
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

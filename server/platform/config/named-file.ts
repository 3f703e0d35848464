/** Reads configuration files, and files that they name. */
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  readFileSync,
  type Stats,
} from 'node:fs';
import { buffer } from 'node:stream/consumers';

/** In bytes. A configuration with every setting and its documentation has a tenth of this. */
const maximumSize = 1024 * 1024;

/** Opening a pipe otherwise blocks a thread until it has a writer. */
const readWithoutBlocking = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file that the configuration names. Refuses pipes, devices and files above the maximum size.
 *
 * @throws Error with a `code`: the system's, `EFBIG`, or words for a pipe or a device
 */
export function readRegularFileSync(path: string): Buffer {
  const file = openSync(path, readWithoutBlocking);
  try {
    requireRegularFile(fstatSync(file));
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

export const readRegularFile = async (path: string): Promise<Buffer> => readRegularFileSync(path);

/**
 * Reads the configuration file itself, which may be a pipe.
 *
 * @throws Error with a `code`: the system's, or `EFBIG`
 */
export async function readFileOrPipe(path: string): Promise<Buffer> {
  const content = await buffer(createReadStream(path, { end: maximumSize }));
  if (content.length > maximumSize) throw tooLarge();
  return content;
}

function requireRegularFile(stats: Stats): void {
  if (stats.isDirectory()) throw Object.assign(new Error('It is a directory'), { code: 'EISDIR' });
  if (!stats.isFile()) throw Object.assign(new Error('Not a regular file'), { code: 'a pipe or a device' });
  if (stats.size > maximumSize) throw tooLarge();
}

const tooLarge = () => Object.assign(new Error('Larger than 1 MB'), { code: 'EFBIG' });

/** Files that a configuration names. */
import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  readFileSync,
  type Stats,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

/** A configuration with every setting that there is, each explained at length, has a tenth of this. In bytes. */
const largest = 1024 * 1024;

/** To open a pipe, or some devices, would hold a thread until somebody writes there. */
const withoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * What stands in a file, if it is one, and no larger than a configuration can be.
 *
 * @throws Error with a `code`: that of the system, `EFBIG`, or words where it is a pipe or a device
 */
export async function readNamed(path: string): Promise<Buffer> {
  const file = await open(path, withoutWaiting);
  try {
    requireFile(await file.stat());
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** The same, for where nothing else can be done meanwhile. */
export function readNamedSync(path: string): Buffer {
  const file = openSync(path, withoutWaiting);
  try {
    requireFile(fstatSync(file));
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * The file of settings itself, which the person who starts a program may also hand over by a pipe.
 *
 * @throws Error with a `code`: that of the system, or `EFBIG`
 */
export async function readGiven(path: string): Promise<Buffer> {
  const content = await buffer(createReadStream(path, { end: largest }));
  if (content.length > largest) throw tooLarge();
  return content;
}

function requireFile(found: Stats): void {
  if (found.isDirectory()) throw Object.assign(new Error('It is a directory'), { code: 'EISDIR' });
  if (!found.isFile()) throw Object.assign(new Error('Not a regular file'), { code: 'a pipe or a device' });
  if (found.size > largest) throw tooLarge();
}

const tooLarge = () => Object.assign(new Error('Larger than 1 MB'), { code: 'EFBIG' });

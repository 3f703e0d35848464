/** Files that a configuration names. */
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';

/** A configuration with every setting that there is, each explained at length, has a tenth of this. In bytes. */
const largest = 1024 * 1024;

/**
 * What stands in a file, if it is no larger than a configuration can be: one may name a device that never ends.
 *
 * @throws Error with a `code`: that of the system, or `EFBIG`
 */
export async function readNamed(path: string): Promise<Buffer> {
  const content = await buffer(createReadStream(path, { end: largest }));
  if (content.length > largest) throw Object.assign(new Error('It has more than 1 MB'), { code: 'EFBIG' });
  return content;
}

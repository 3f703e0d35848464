/** Whether a file is still what was downloaded. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/**
 * @param sha512 in base64
 * @throws Error where the file has another sum, or can't be read
 */
export async function requireSum(file: string, sha512: string): Promise<void> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  if (hash.digest('base64') !== sha512) throw new Error(`Checksum mismatch: ${file}`);
}

/** Format of a backup: a tar archive with fixed names that ends with a manifest, which has the number and checksum of the files. */
import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';

export const databaseEntry = 'homeserver.db';
export const keyEntry = 'signing.key';
export const settingsEntry = 'homeserver.yaml';
export const mediaFolder = 'media/';
export const manifestEntry = 'manifest.json';

/** In bytes. The manifest is read into memory before it is verified. */
export const largestManifest = 64 * 1024;

export const Manifest = Type.Object({
  format: Type.Literal('gatehouse-backup-1'),
  server_name: Type.String(),
  server_version: Type.String(),
  /** In milliseconds since the Unix epoch, up to the latest JavaScript date. */
  made_ts: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }),
  /** Number of files before the manifest. `sha256` is of their names, sizes and contents, in order. */
  files: Type.Integer(),
  sha256: Type.String(),
});
export type Manifest = Static<typeof Manifest>;

/** Computes the digest of an archive while it is read or written. */
export function createDigest() {
  const whole = createHash('sha256');
  let files = 0;
  return {
    begin(name: string, size: number) {
      files++;
      whole.update(`${name}\0${size}\0`);
    },
    add: (chunk: Uint8Array) => void whole.update(chunk),
    end: () => ({ files, sha256: whole.digest('hex') }),
  };
}
